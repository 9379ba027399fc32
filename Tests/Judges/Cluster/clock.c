// Sets the clock of a process wrong: preloaded, it adds the seconds in the file that CLOCK_FILE names to the real time. The
// monotonic clock stays as it is.
//
// libfaketime cannot do that here: it looks functions up while jemalloc is starting, which asks for the time meanwhile, and
// both wait for each other.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

static volatile int64_t none, *offset = &none;
static int (*wait_for)(pthread_cond_t *, pthread_mutex_t *, const struct timespec *);
static int (*wait_for_semaphore)(sem_t *, const struct timespec *);
static int (*wait_as_c_does)(cnd_t *, mtx_t *, const struct timespec *);
static int (*lock_in_time)(pthread_mutex_t *, const struct timespec *);

__attribute__((constructor)) static void begin(void) {
    wait_for = dlvsym(RTLD_NEXT, "pthread_cond_timedwait", "GLIBC_2.3.2");
    wait_for_semaphore = dlsym(RTLD_NEXT, "sem_timedwait");
    wait_as_c_does = dlsym(RTLD_NEXT, "cnd_timedwait");
    lock_in_time = dlsym(RTLD_NEXT, "pthread_mutex_timedlock");
    const char *path = getenv("CLOCK_FILE");
    int file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    if (file < 0) return;
    void *map = mmap(NULL, sizeof *offset, PROT_READ, MAP_SHARED, file, 0);
    if (map != MAP_FAILED) offset = map;
    close(file);
}

int clock_gettime(clockid_t clock, struct timespec *now) {
    int result = (int)syscall(SYS_clock_gettime, clock, now);
    if (result == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) now->tv_sec += *offset;
    return result;
}

int timespec_get(struct timespec *now, int base) {
    clock_gettime(CLOCK_REALTIME, now);
    return base;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
    struct timespec precise;
    (void)zone;
    clock_gettime(CLOCK_REALTIME, &precise);
    now->tv_sec = precise.tv_sec;
    now->tv_usec = precise.tv_nsec / 1000;
    return 0;
}

time_t time(time_t *now) {
    struct timespec precise;
    clock_gettime(CLOCK_REALTIME, &precise);
    if (now) *now = precise.tv_sec;
    return precise.tv_sec;
}

// A deadline was made of the wrong time, and is compared with the right one. Deadlines of the monotonic clock count from
// the machine's start, which is not that long ago.
static struct timespec right(const struct timespec *deadline) {
    struct timespec corrected = *deadline;
    if (corrected.tv_sec > 1000000000) corrected.tv_sec -= *offset;
    return corrected;
}

int pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *deadline) {
    struct timespec corrected = right(deadline);
    return wait_for(condition, mutex, &corrected);
}

int sem_timedwait(sem_t *semaphore, const struct timespec *deadline) {
    struct timespec corrected = right(deadline);
    return wait_for_semaphore(semaphore, &corrected);
}

// librdkafka waits with this one.
int cnd_timedwait(cnd_t *restrict condition, mtx_t *restrict mutex, const struct timespec *restrict deadline) {
    struct timespec corrected = right(deadline);
    return wait_as_c_does(condition, mutex, &corrected);
}

int pthread_mutex_timedlock(pthread_mutex_t *restrict mutex, const struct timespec *restrict deadline) {
    struct timespec corrected = right(deadline);
    return lock_in_time(mutex, &corrected);
}
