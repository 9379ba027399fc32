#include "CSimulationHooks.h"

#include <stdio.h>
#include <stdlib.h>

// Swift's concurrency runtime declares these in ABI/Executor.h and ConcurrencyHooks.def ("may be replaced to intercept
// the global executor"); they are exported, but have no public header.
#define SWIFT_CC __attribute__((swiftcall))

typedef struct {
    void *identity;
    uintptr_t implementation;
} ExecutorRef;

typedef SWIFT_CC void (*Enqueue)(void *job);
typedef SWIFT_CC void (*EnqueueWithDelay)(unsigned long long delay, void *job);
typedef SWIFT_CC void (*EnqueueWithDeadline)(
    long long seconds, long long nanoseconds, long long toleranceSeconds, long long toleranceNanoseconds, int clock,
    void *job);

extern SWIFT_CC void (*swift_task_enqueueGlobal_hook)(void *job, Enqueue original);
extern SWIFT_CC void (*swift_task_enqueueMainExecutor_hook)(void *job, Enqueue original);
extern SWIFT_CC void (*swift_task_enqueueGlobalWithDelay_hook)(
    unsigned long long delay, void *job, EnqueueWithDelay original);
extern SWIFT_CC void (*swift_task_enqueueGlobalWithDeadline_hook)(
    long long seconds, long long nanoseconds, long long toleranceSeconds, long long toleranceNanoseconds, int clock,
    void *job, EnqueueWithDeadline original);

extern SWIFT_CC void swift_job_run(void *job, ExecutorRef executor);
extern SWIFT_CC uint64_t swift_task_getJobTaskId(void *job);

static void (*take_job)(void *job);

static SWIFT_CC void enqueue(void *job, Enqueue original) { take_job(job); }

static void refuse(void) {
    fputs("A task waits on a clock of the machine: it has to be given the simulation's clock.\n", stderr);
    abort();
}

static SWIFT_CC void enqueue_with_delay(unsigned long long delay, void *job, EnqueueWithDelay original) { refuse(); }

static SWIFT_CC void enqueue_with_deadline(
    long long seconds, long long nanoseconds, long long toleranceSeconds, long long toleranceNanoseconds, int clock,
    void *job, EnqueueWithDeadline original) {
    refuse();
}

void simulation_take_jobs(void (*enqueue_job)(void *job)) {
    take_job = enqueue_job;
    swift_task_enqueueGlobal_hook = enqueue;
    swift_task_enqueueMainExecutor_hook = enqueue;
    swift_task_enqueueGlobalWithDelay_hook = enqueue_with_delay;
    swift_task_enqueueGlobalWithDeadline_hook = enqueue_with_deadline;
}

void simulation_run_job(void *job) {
    // The generic executor: it has no identity.
    ExecutorRef generic = {0, 0};
    swift_job_run(job, generic);
}

uint64_t simulation_task_of_job(void *job) { return swift_task_getJobTaskId(job); }
