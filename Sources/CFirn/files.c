#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
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

int32_t firn_rename_new_after_looking(
    int32_t folder, const char *name, int32_t new_folder, const char *new_name) {
  struct stat status;
  if (fstatat(new_folder, new_name, &status, AT_SYMLINK_NOFOLLOW) == 0) return EEXIST;
  if (errno != ENOENT) return errno;
  return renameat(folder, name, new_folder, new_name) == 0 ? 0 : errno;
}

int32_t firn_rename_new_by_link(int32_t folder, const char *name, int32_t new_folder, const char *new_name) {
  if (linkat(folder, name, new_folder, new_name, 0) == 0) return unlinkat(folder, name, 0) == 0 ? 0 : errno;
  // What file systems say that know no second names.
  if (errno != EPERM && errno != EOPNOTSUPP && errno != ENOSYS && errno != EMLINK) return errno;
  return firn_rename_new_after_looking(folder, name, new_folder, new_name);
}

int32_t firn_rename_new(int32_t folder, const char *name, int32_t new_folder, const char *new_name) {
#if defined(SYS_renameat2) && defined(RENAME_NOREPLACE)
  if (syscall(SYS_renameat2, folder, name, new_folder, new_name, RENAME_NOREPLACE) == 0) return 0;
  // What file systems and systems say that do not know the flag.
  if (errno != EINVAL && errno != ENOSYS) return errno;
#endif
  return firn_rename_new_by_link(folder, name, new_folder, new_name);
}

int64_t firn_find_data(int32_t descriptor, int64_t offset) {
  off_t place = lseek(descriptor, offset, SEEK_DATA);
  if (place >= 0) return place;
  return errno == ENXIO ? INT64_MAX : offset;
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
