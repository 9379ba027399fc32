#define _GNU_SOURCE
#include "CCrashMarks.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static const int deadly[] = {SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGFPE, SIGABRT};
enum { deadly_count = sizeof deadly / sizeof deadly[0] };

/// The file, for the handler; null when nothing is to be marked.
static void *watched;
/// Who was told of each signal before.
static struct sigaction before[deadly_count];
static pthread_mutex_t installing = PTHREAD_MUTEX_INITIALIZER;
static bool is_installed;

/// Whether the process has sent the signal to itself, by an instruction or a call.
static bool is_own(const siginfo_t *info) {
#ifdef SI_TKILL
    if (info->si_code == SI_TKILL) return info->si_pid == getpid();
#endif
    if (info->si_code == SI_USER || info->si_code == SI_QUEUE) return info->si_pid == getpid();
    return true;
}

/// Marks the death and passes the signal on. Calls nothing but what a signal handler may.
static void take(int number, siginfo_t *info, void *context) {
    int saved = errno;
    void *file = __atomic_load_n(&watched, __ATOMIC_ACQUIRE);
    if (file != NULL && is_own(info)) {
        __atomic_store_n(&((crash_marks_head *)file)->died, (uint64_t)number, __ATOMIC_SEQ_CST);
    }
    struct sigaction *next = NULL;
    for (int index = 0; index < deadly_count; index++) {
        if (deadly[index] == number) next = &before[index];
    }
    // From now on it is theirs: should the signal come again, they get it, or the process ends.
    sigaction(number, next, NULL);
    errno = saved;
    if ((next->sa_flags & SA_SIGINFO) && next->sa_sigaction != NULL) {
        next->sa_sigaction(number, info, context);
        return;
    }
    if (next->sa_handler != SIG_DFL && next->sa_handler != SIG_IGN) {
        next->sa_handler(number);
        return;
    }
    // A faulting instruction faults again when this returns, and the core shows it. A breakpoint would be stepped over,
    // and a signal that was sent does not come again by itself. Blocked until this returns, it comes then.
    bool is_fault = info->si_code > 0 && number != SIGTRAP && is_own(info);
    if (!is_fault) raise(number);
}

int crash_marks_watch(void *file) {
    pthread_mutex_lock(&installing);
    int problem = 0;
    __atomic_store_n(&watched, file, __ATOMIC_RELEASE);
    for (int index = 0; index < deadly_count && !is_installed && problem == 0; index++) {
        struct sigaction action;
        memset(&action, 0, sizeof action);
        action.sa_sigaction = take;
        action.sa_flags = SA_SIGINFO | SA_ONSTACK;
        sigemptyset(&action.sa_mask);
        if (sigaction(deadly[index], NULL, &before[index]) != 0 || sigaction(deadly[index], &action, NULL) != 0) {
            problem = errno;
        }
    }
    if (problem == 0) is_installed = true;
    pthread_mutex_unlock(&installing);
    return problem;
}

void crash_marks_unwatch(void *file) {
    void *expected = file;
    __atomic_compare_exchange_n(&watched, &expected, NULL, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
}

// Stacks for signal handlers

enum { stack_size = 64 * 1024 };

static _Thread_local bool is_prepared;
static pthread_key_t stack_key;
static pthread_once_t stack_key_once = PTHREAD_ONCE_INIT;

static void take_stack_back(void *stack) {
    stack_t none;
    memset(&none, 0, sizeof none);
    none.ss_flags = SS_DISABLE;
    sigaltstack(&none, NULL);
    munmap(stack, stack_size);
}

static void make_stack_key(void) { pthread_key_create(&stack_key, take_stack_back); }

void crash_marks_prepare_thread(void) {
    if (is_prepared) return;
    is_prepared = true;
    stack_t now;
    if (sigaltstack(NULL, &now) != 0 || !(now.ss_flags & SS_DISABLE)) return;
    void *stack = mmap(NULL, stack_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (stack == MAP_FAILED) return;
    stack_t own;
    memset(&own, 0, sizeof own);
    own.ss_sp = stack;
    own.ss_size = stack_size;
    if (sigaltstack(&own, NULL) != 0) {
        munmap(stack, stack_size);
        return;
    }
    pthread_once(&stack_key_once, make_stack_key);
    pthread_setspecific(stack_key, stack);
}
