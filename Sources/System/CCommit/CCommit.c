#include "CCommit.h"

#ifndef INTENTD_COMMIT
#define INTENTD_COMMIT "unknown"
#endif

const char *ccommit(void) { return INTENTD_COMMIT; }
