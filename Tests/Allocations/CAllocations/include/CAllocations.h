#ifndef CALLOCATIONS_H
#define CALLOCATIONS_H

#include <stdbool.h>
#include <stdint.h>

/// Whether this process's allocations are counted: with glibc, in a program that this target is linked into.
bool allocations_are_counted(void);

/// How many blocks of memory the process has asked for so far, on all threads: `malloc`, `calloc`, `realloc` and those
/// with an alignment.
uint64_t allocations_so_far(void);

#endif
