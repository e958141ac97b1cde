// Stands before the C library of the service under trial (LD_PRELOAD), and lets the test say when writes to its data
// folder fail and what time it is. The machines that run the trials have no device mapper, with which a disk that fails
// is usually played. A full tmpfs can be mounted by root alone, and gives no errors of reading or of fsync.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

// What the test writes into the file of FAULTS_CONTROL, which both have mapped.
struct control {
  int32_t write_errno;  // of writes to files of the folder; 0 lets them pass
  int32_t sync_errno;   // of fsync and fdatasync
  int32_t half;         // whether the first write of several is cut in half, as on a disk that has just become full
  int32_t clock_seconds;
};

static volatile struct control *control;
static const char *folder;

__attribute__((constructor)) static void start(void) {
  const char *path = getenv("FAULTS_CONTROL");
  folder = getenv("FAULTS_FOLDER");
  if (path == NULL || folder == NULL) return;
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return;
  void *mapped = mmap(NULL, sizeof(struct control), PROT_READ, MAP_SHARED, file, 0);
  close(file);
  if (mapped != MAP_FAILED) control = mapped;
}

static int is_ours(int file) {
  char name[64], path[4096];
  snprintf(name, sizeof name, "/proc/self/fd/%d", file);
  ssize_t length = readlink(name, path, sizeof path - 1);
  if (length < 0) return 0;
  path[length] = 0;
  return strncmp(path, folder, strlen(folder)) == 0;
}

static int write_fails(int file) {
  if (control == NULL || control->write_errno == 0 || !is_ours(file)) return 0;
  errno = control->write_errno;
  return 1;
}

static size_t allowed(int file, size_t size) {
  return control != NULL && control->half && size > 1 && is_ours(file) ? size / 2 : size;
}

static int sync_fails(int file) {
  if (control == NULL || control->sync_errno == 0 || !is_ours(file)) return 0;
  errno = control->sync_errno;
  return 1;
}

ssize_t write(int file, const void *bytes, size_t size) {
  return write_fails(file) ? -1 : syscall(SYS_write, file, bytes, allowed(file, size));
}

ssize_t pwrite(int file, const void *bytes, size_t size, off_t at) {
  return write_fails(file) ? -1 : syscall(SYS_pwrite64, file, bytes, allowed(file, size), at);
}

ssize_t pwrite64(int file, const void *bytes, size_t size, off64_t at) {
  return write_fails(file) ? -1 : syscall(SYS_pwrite64, file, bytes, allowed(file, size), at);
}

ssize_t writev(int file, const struct iovec *parts, int count) {
  return write_fails(file) ? -1 : syscall(SYS_writev, file, parts, count);
}

int ftruncate(int file, off_t size) {
  return write_fails(file) ? -1 : syscall(SYS_ftruncate, file, size);
}

int ftruncate64(int file, off64_t size) {
  return write_fails(file) ? -1 : syscall(SYS_ftruncate, file, size);
}

int fsync(int file) {
  return sync_fails(file) ? -1 : syscall(SYS_fsync, file);
}

int fdatasync(int file) {
  return sync_fails(file) ? -1 : syscall(SYS_fdatasync, file);
}

int clock_gettime(clockid_t clock, struct timespec *now) {
  int result = syscall(SYS_clock_gettime, clock, now);
  if (control != NULL && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) now->tv_sec += control->clock_seconds;
  return result;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
  struct timespec exact;
  int result = clock_gettime(CLOCK_REALTIME, &exact);
  now->tv_sec = exact.tv_sec;
  now->tv_usec = exact.tv_nsec / 1000;
  (void)zone;
  return result;
}

time_t time(time_t *kept) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (kept != NULL) *kept = now.tv_sec;
  return now.tv_sec;
}
