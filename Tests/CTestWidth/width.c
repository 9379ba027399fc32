#include <stdlib.h>

// Swift Testing starts all tests at once. Hundreds of them, many with brokers and servers of their own, slow each other
// past their time-outs: they share as many threads as there are cores, and wait for one whenever something that they
// have awaited is there. Three at once are done with all as soon as six. Swift Testing reads this limit when it begins,
// so it is set as soon as the tests are loaded. A value that is set already is kept.
__attribute__((constructor)) static void limit_concurrent_tests(void) {
    setenv("SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH", "3", 0);
}
