#include "CAllocatorOptions.h"

// A batch's buffers are freed with its commit, and the next batch needs as many. By default jemalloc returns their pages
// to the system within ten seconds, and each page costs a fault when it is used again. So they stay for a minute. Those of
// blocks from 8 MiB still go at once: a file that is read into memory leaves such blocks behind as it grows.
const char *malloc_conf = "dirty_decay_ms:60000";
