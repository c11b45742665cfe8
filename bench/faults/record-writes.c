// Writes down, in order, what a program asks of the files below a folder: for power-loss.ts, which rebuilds them as a power cut may leave them.
// Loaded with LD_PRELOAD. RECORD_BELOW names the folder, RECORD_TO the file that is written.
// Each entry: kind (u32), length of path (u32), length of data (u32), 0, offset (u64), nanoseconds since 1970 (u64), path, data.
// fsync and fdatasync are written down and not done: they are slow, and here no power is cut.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

enum { WRITE = 1, CUT, SYNC, NEW, RENAME, REMOVE, FOLDER };

static pthread_mutex_t order = PTHREAD_MUTEX_INITIALIZER;
static int log_file = -1;

static void *next(const char *name) {
  void *found = dlsym(RTLD_NEXT, name);
  if (!found) abort();
  return found;
}
#define NEXT(name) \
  static __typeof__(&name) real; \
  if (!real) real = (__typeof__(&name))next(#name)

static int below(const char *path) {
  static const char *root;
  static size_t length;
  if (!root) {
    root = getenv("RECORD_BELOW");
    if (!root) root = "";
    length = strlen(root);
  }
  return length > 0 && strncmp(path, root, length) == 0 && (path[length] == '/' || path[length] == 0);
}

/* The path of an open file, as the kernel knows it now; 0 where it is none of ours. */
static int path_of(int file, char *path) {
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  ssize_t length = readlink(link, path, PATH_MAX - 1);
  if (length <= 0) return 0;
  path[length] = 0;
  return below(path);
}

/* The path below the folder with the places of `.` and links resolved; the last part need not be there. */
static int full_path(int folder, const char *given, char *path) {
  char whole[PATH_MAX], at[PATH_MAX];
  if (given[0] == '/') snprintf(whole, sizeof whole, "%s", given);
  else {
    if (folder == AT_FDCWD) { if (!getcwd(at, sizeof at)) return 0; }
    else if (!path_of(folder, at)) return 0;
    if (snprintf(whole, sizeof whole, "%s/%s", at, given) >= (int)sizeof whole) return 0;
  }
  char *slash = strrchr(whole, '/');
  char name[NAME_MAX + 1];
  snprintf(name, sizeof name, "%s", slash + 1);
  *slash = 0;
  if (!realpath(whole[0] ? whole : "/", at)) return 0;
  if (snprintf(path, PATH_MAX, "%s/%s", at, name) >= PATH_MAX) return 0;
  return below(path);
}

static void put(uint32_t kind, const char *path, uint64_t offset, const void *data, size_t size) {
  if (log_file < 0) {
    NEXT(open);
    int file = real(getenv("RECORD_TO"), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
    log_file = fcntl(file, F_DUPFD_CLOEXEC, 700);
    syscall(SYS_close, file);
  }
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  uint32_t lengths[4] = {kind, (uint32_t)strlen(path), (uint32_t)size, 0};
  uint64_t places[2] = {offset, (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec};
  struct iovec parts[4] = {{lengths, 16}, {places, 16}, {(void *)path, lengths[1]}, {(void *)data, size}};
  if (syscall(SYS_writev, log_file, parts, 4) < 0) abort();
}

/* What is done to a file and what is written down are one step, so that both are in one order. */
#define ORDERED(expression) \
  int kept; \
  pthread_mutex_lock(&order); \
  __typeof__(expression) done = expression; \
  kept = errno;
#define END \
  pthread_mutex_unlock(&order); \
  errno = kept; \
  return done;

static int opened(int folder, const char *given, int flags, mode_t mode, int (*real)(int, const char *, int, ...)) {
  char path[PATH_MAX];
  struct stat there;
  int ours = (flags & (O_CREAT | O_TRUNC)) && full_path(folder, given, path);
  if (!ours) return real(folder, given, flags, mode);
  pthread_mutex_lock(&order);
  int was = stat(path, &there) == 0;
  int file = real(folder, given, flags, mode);
  int kept = errno;
  if (file >= 0) {
    if (!was) put(NEW, path, 0, "", 0);
    else if (flags & O_TRUNC) put(CUT, path, 0, "", 0);
  }
  pthread_mutex_unlock(&order);
  errno = kept;
  return file;
}
#define MODE \
  mode_t mode = 0; \
  if (flags & (O_CREAT | O_TMPFILE)) { va_list more; va_start(more, flags); mode = va_arg(more, mode_t); va_end(more); }

int openat(int folder, const char *given, int flags, ...) { MODE; NEXT(openat); return opened(folder, given, flags, mode, real); }
int openat64(int folder, const char *given, int flags, ...) { MODE; NEXT(openat); return opened(folder, given, flags, mode, real); }
int open(const char *given, int flags, ...) { MODE; NEXT(openat); return opened(AT_FDCWD, given, flags, mode, real); }
int open64(const char *given, int flags, ...) { MODE; NEXT(openat); return opened(AT_FDCWD, given, flags, mode, real); }

static off_t place_of(int file, ssize_t written) {
  off_t now = lseek(file, 0, SEEK_CUR);
  return now < written ? 0 : now - written;
}

ssize_t write(int file, const void *data, size_t size) {
  NEXT(write);
  char path[PATH_MAX];
  if (!path_of(file, path)) return real(file, data, size);
  ORDERED(real(file, data, size));
  if (done > 0) put(WRITE, path, place_of(file, done), data, done);
  END
}
static ssize_t parted(int file, const struct iovec *parts, int count, off_t offset, ssize_t done, const char *path) {
  ssize_t left = done;
  off_t at = offset < 0 ? place_of(file, done) : offset;
  for (int part = 0; part < count && left > 0; part++) {
    size_t size = (size_t)left < parts[part].iov_len ? (size_t)left : parts[part].iov_len;
    put(WRITE, path, at, parts[part].iov_base, size);
    at += size;
    left -= size;
  }
  return done;
}
ssize_t writev(int file, const struct iovec *parts, int count) {
  NEXT(writev);
  char path[PATH_MAX];
  if (!path_of(file, path)) return real(file, parts, count);
  ORDERED(real(file, parts, count));
  if (done > 0) parted(file, parts, count, -1, done, path);
  END
}
ssize_t pwritev64(int file, const struct iovec *parts, int count, off64_t offset) {
  NEXT(pwritev64);
  char path[PATH_MAX];
  if (!path_of(file, path)) return real(file, parts, count, offset);
  ORDERED(real(file, parts, count, offset));
  if (done > 0) parted(file, parts, count, offset, done, path);
  END
}
ssize_t pwritev(int file, const struct iovec *parts, int count, off_t offset) { return pwritev64(file, parts, count, offset); }
ssize_t pwrite64(int file, const void *data, size_t size, off64_t offset) {
  NEXT(pwrite64);
  char path[PATH_MAX];
  if (!path_of(file, path)) return real(file, data, size, offset);
  ORDERED(real(file, data, size, offset));
  if (done > 0) put(WRITE, path, offset, data, done);
  END
}
ssize_t pwrite(int file, const void *data, size_t size, off_t offset) { return pwrite64(file, data, size, offset); }

int ftruncate64(int file, off64_t length) {
  NEXT(ftruncate64);
  char path[PATH_MAX];
  if (!path_of(file, path)) return real(file, length);
  ORDERED(real(file, length));
  if (done == 0) put(CUT, path, length, "", 0);
  END
}
int ftruncate(int file, off_t length) { return ftruncate64(file, length); }

int fsync(int file) {
  char path[PATH_MAX];
  if (!path_of(file, path)) return 0;
  pthread_mutex_lock(&order);
  put(SYNC, path, 0, "", 0);
  pthread_mutex_unlock(&order);
  return 0;
}
int fdatasync(int file) { return fsync(file); }

int rename(const char *from, const char *to) {
  NEXT(rename);
  char path[PATH_MAX], target[PATH_MAX];
  int ours = full_path(AT_FDCWD, from, path) && full_path(AT_FDCWD, to, target);
  if (!ours) return real(from, to);
  ORDERED(real(from, to));
  if (done == 0) put(RENAME, path, 0, target, strlen(target));
  END
}
int unlinkat(int folder, const char *given, int flags) {
  NEXT(unlinkat);
  char path[PATH_MAX];
  if (!full_path(folder, given, path)) return real(folder, given, flags);
  ORDERED(real(folder, given, flags));
  if (done == 0) put(REMOVE, path, 0, "", 0);
  END
}
int unlink(const char *given) { return unlinkat(AT_FDCWD, given, 0); }
int rmdir(const char *given) { return unlinkat(AT_FDCWD, given, AT_REMOVEDIR); }
int remove(const char *given) {
  int done = unlinkat(AT_FDCWD, given, 0);
  return done != 0 && errno == EISDIR ? rmdir(given) : done;
}
int mkdir(const char *given, mode_t mode) {
  NEXT(mkdir);
  char path[PATH_MAX];
  if (!full_path(AT_FDCWD, given, path)) return real(given, mode);
  ORDERED(real(given, mode));
  if (done == 0) put(FOLDER, path, 0, "", 0);
  END
}

/* What copies without passing through a program is refused, so that it writes. */
ssize_t sendfile64(int to, int from, off64_t *offset, size_t size) {
  NEXT(sendfile64);
  char path[PATH_MAX];
  if (!path_of(to, path)) return real(to, from, offset, size);
  errno = EINVAL;
  return -1;
}
ssize_t sendfile(int to, int from, off_t *offset, size_t size) { return sendfile64(to, from, offset, size); }
long syscall(long number, ...) {
  NEXT(syscall);
  va_list more;
  va_start(more, number);
  long a = va_arg(more, long), b = va_arg(more, long), c = va_arg(more, long);
  long d = va_arg(more, long), e = va_arg(more, long), f = va_arg(more, long);
  va_end(more);
  if (number == SYS_copy_file_range) {
    errno = ENOSYS;
    return -1;
  }
  return real(number, a, b, c, d, e, f);
}
