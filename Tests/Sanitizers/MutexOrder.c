// Tells ThreadSanitizer what a contended `Mutex` of Swift's orders.
//
// `Mutex.withLock` takes a free lock with an atomic operation in the caller's own code, which is instrumented. A lock that
// another thread holds is taken and given back in libswiftSynchronization, which is not, by the kernel, which
// writes the lock's word itself. ThreadSanitizer sees neither, and reports the data behind the lock. These functions are
// found in place of the library's, call them, and say what happened.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Weak: a tool that is built along with the package may have no sanitizer in it.
extern void __tsan_acquire(void *address) __attribute__((weak));
extern void __tsan_release(void *address) __attribute__((weak));

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context)) void *self

typedef SWIFT void (*Lock)(uint32_t thread, SELF);
typedef SWIFT bool (*TryLock)(SELF);
typedef SWIFT void (*Unlock)(SELF);

// Synchronization._MutexHandle's _lockSlow(_:), _tryLockSlow() and _unlockSlow().
#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define TRY_LOCK "$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

SWIFT void mutexLock(uint32_t thread, SELF) __asm__(LOCK);
SWIFT bool mutexTryLock(SELF) __asm__(TRY_LOCK);
SWIFT void mutexUnlock(SELF) __asm__(UNLOCK);

static Lock lock;
static TryLock tryLock;
static Unlock unlock;

// Before any other code of the program: `dlsym` itself takes locks.
__attribute__((constructor(101))) static void findLibrary(void) {
    lock = (Lock)dlsym(RTLD_NEXT, LOCK);
    tryLock = (TryLock)dlsym(RTLD_NEXT, TRY_LOCK);
    unlock = (Unlock)dlsym(RTLD_NEXT, UNLOCK);
}

SWIFT void mutexLock(uint32_t thread, SELF) {
    lock(thread, self);
    if (__tsan_acquire) __tsan_acquire(self);
}

SWIFT bool mutexTryLock(SELF) {
    bool locked = tryLock(self);
    if (locked && __tsan_acquire) __tsan_acquire(self);
    return locked;
}

SWIFT void mutexUnlock(SELF) {
    if (__tsan_release) __tsan_release(self);
    unlock(self);
}
