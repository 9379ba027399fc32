#ifndef CCHECKSUM_H
#define CCHECKSUM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Whether this processor has an instruction for CRC-32C; if not, `checksum_crc32c` must not be called.
bool checksum_has_crc32c(void);

/// Continues a CRC-32C (before its final inversion) over that number of bytes, with the processor's instruction.
uint32_t checksum_crc32c(uint32_t crc, const void *_Nonnull bytes, size_t count);

#endif
