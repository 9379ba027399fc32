#define _GNU_SOURCE
#include "CCrashMarks.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <ucontext.h>
#endif

static const int deadly[] = {SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGFPE, SIGABRT};
enum { deadly_count = sizeof deadly / sizeof deadly[0] };

/// The file, for the handler; null when nothing is to be marked.
static void *watched;
/// The previous action for each signal.
static struct sigaction before[deadly_count];
static pthread_mutex_t installing = PTHREAD_MUTEX_INITIALIZER;
static bool is_installed;
/// Where the program begins in memory.
static uint64_t program;

/// Whether the process has sent the signal to itself, by an instruction or a call.
static bool is_own(const siginfo_t *info) {
#ifdef SI_TKILL
    if (info->si_code == SI_TKILL) return info->si_pid == getpid();
#endif
    if (info->si_code == SI_USER || info->si_code == SI_QUEUE) return info->si_pid == getpid();
    return true;
}

/// The instruction at which a signal came; 0 where that is not known.
static uint64_t instruction(const void *context) {
#if defined(__linux__) && defined(__x86_64__)
    return (uint64_t)((const ucontext_t *)context)->uc_mcontext.gregs[REG_RIP];
#elif defined(__linux__) && defined(__aarch64__)
    return (uint64_t)((const ucontext_t *)context)->uc_mcontext.pc;
#else
    (void)context;
    return 0;
#endif
}

/// Writes how the process dies. Only stores and system calls: a signal handler may do no more.
static void describe(void *file, const siginfo_t *info, const void *context) {
    crash_marks_head *head = file;
    crash_marks_detail *detail = (crash_marks_detail *)((char *)file + crash_marks_detail_offset(head->count));
    // Only the processor's own signals, whose codes are positive, have an address.
    detail->address = info->si_code > 0 ? (uint64_t)(uintptr_t)info->si_addr : 0;
    detail->instruction = instruction(context);
    detail->program = program;
#ifdef __linux__
    detail->thread = (uint64_t)syscall(SYS_gettid);
    prctl(PR_GET_NAME, detail->name, 0, 0, 0);
#endif
}

/// Marks the death and passes the signal on. Calls nothing but what a signal handler may.
static void take(int number, siginfo_t *info, void *context) {
    int saved = errno;
    void *file = __atomic_load_n(&watched, __ATOMIC_ACQUIRE);
    if (file != NULL && is_own(info)) {
        crash_marks_head *head = file;
        // The first of several threads describes it.
        if (__atomic_load_n(&head->died, __ATOMIC_RELAXED) == 0) describe(file, info, context);
        __atomic_store_n(&head->died, (uint64_t)number, __ATOMIC_SEQ_CST);
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
    Dl_info found;
    // This function is part of the program, which links this library statically.
    if (dladdr((const void *)(uintptr_t)&crash_marks_watch, &found) != 0) program = (uint64_t)(uintptr_t)found.dli_fbase;
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
/// Whether there is a key: a process may have used up those that it can have.
static bool has_stack_key;

static void take_stack_back(void *stack) {
    stack_t none;
    memset(&none, 0, sizeof none);
    none.ss_flags = SS_DISABLE;
    sigaltstack(&none, NULL);
    munmap(stack, stack_size);
}

static void make_stack_key(void) { has_stack_key = pthread_key_create(&stack_key, take_stack_back) == 0; }

void crash_marks_prepare_thread(void) {
    if (is_prepared) return;
    is_prepared = true;
    pthread_once(&stack_key_once, make_stack_key);
    // Without a key nothing would take the stack back when the thread ends: a later thread's memory could be there.
    if (!has_stack_key) return;
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
    if (pthread_setspecific(stack_key, stack) != 0) take_stack_back(stack);
}
