#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "CFirn.h"

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

int32_t firn_is_file_locked(int32_t descriptor, bool *is_locked) {
  struct flock lock;
  memset(&lock, 0, sizeof lock);
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  while (fcntl(descriptor, F_OFD_GETLK, &lock) != 0) {
    if (errno != EINTR) return errno;
  }
  *is_locked = lock.l_type != F_UNLCK;
  return 0;
}
