#include "CAllocatorOptions.h"

// A batch's buffers are freed with its commit, and the next batch needs as many. By default jemalloc returns their pages
// to the system within ten seconds, and those of blocks from 8 MiB, such as fetched batches, at once; then each page
// costs a fault when it is used again. So pages stay for a minute, and large blocks are blocks like all others.
const char *malloc_conf = "dirty_decay_ms:60000,oversize_threshold:0";
