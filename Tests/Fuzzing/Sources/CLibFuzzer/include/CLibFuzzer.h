#pragma once

#include <stddef.h>
#include <stdint.h>

/// libFuzzer's loop (its FuzzerInterface.h), which Swift's toolchain links but has no module for.
int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*body)(const uint8_t *data, size_t size));
