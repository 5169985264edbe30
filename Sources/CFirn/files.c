#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "CFirn.h"

const int32_t firn_o_path = O_PATH;

int32_t firn_try_lock_file(int32_t descriptor) {
  struct flock lock;
  memset(&lock, 0, sizeof lock);
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  while (fcntl(descriptor, F_OFD_SETLK, &lock) != 0) {
    if (errno != EINTR) return errno;
  }
  return 0;
}

void firn_unlock_file(int32_t descriptor) {
  struct flock lock;
  memset(&lock, 0, sizeof lock);
  lock.l_type = F_UNLCK;
  lock.l_whence = SEEK_SET;
  while (fcntl(descriptor, F_OFD_SETLK, &lock) != 0 && errno == EINTR) {
  }
}

int32_t firn_reserve_file(int32_t descriptor, int64_t offset, int64_t byte_count) {
  while (fallocate(descriptor, 0, offset, byte_count) != 0) {
    if (errno != EINTR) return errno;
  }
  return 0;
}

int32_t firn_try_lock_folder(int32_t descriptor) {
  while (flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
    if (errno != EINTR) return errno;
  }
  return 0;
}

void firn_unlock_folder(int32_t descriptor) { flock(descriptor, LOCK_UN); }

int32_t firn_is_file_locked(int32_t descriptor, bool *is_locked) {
  struct flock lock;
  memset(&lock, 0, sizeof lock);
  // Locks are for writing only, and this may be asked of a file that is open for reading only.
  lock.l_type = F_RDLCK;
  lock.l_whence = SEEK_SET;
  while (fcntl(descriptor, F_OFD_GETLK, &lock) != 0) {
    if (errno != EINTR) return errno;
  }
  *is_locked = lock.l_type != F_UNLCK;
  return 0;
}
