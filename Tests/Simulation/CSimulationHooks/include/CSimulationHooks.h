#ifndef CSIMULATIONHOOKS_H
#define CSIMULATIONHOOKS_H

#include <stdint.h>

/// Has Swift's runtime hand over every job of the global and the main executor instead of running it.
///
/// `enqueue` gets each job; a job that asks for a delay on the machine's clocks ends the process: a simulation has a
/// clock of its own. To be called before the first task is made; there is no way back.
void simulation_take_jobs(void (*_Nonnull enqueue)(void *_Nonnull job));

/// Runs a job until it suspends, on the calling thread.
void simulation_run_job(void *_Nonnull job);

/// The number of a job's task, unique in the process, the same in every run that makes the same tasks.
uint64_t simulation_task_of_job(void *_Nonnull job);

#endif
