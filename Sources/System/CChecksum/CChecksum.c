#include "CChecksum.h"

#include <string.h>

#if defined(__x86_64__)
#include <nmmintrin.h>
#define INSTRUCTION __attribute__((target("sse4.2")))
#define STEP8(crc, word) (uint32_t)_mm_crc32_u64(crc, word)
#define STEP1(crc, byte) _mm_crc32_u8(crc, byte)
bool checksum_has_crc32c(void) { return __builtin_cpu_supports("sse4.2"); }
#elif defined(__aarch64__)
#define INSTRUCTION __attribute__((target("crc")))
#define STEP8(crc, word) __builtin_arm_crc32cd(crc, word)
#define STEP1(crc, byte) __builtin_arm_crc32cb(crc, byte)
#if defined(__linux__)
#include <sys/auxv.h>
// Bit 7 of the first word of capabilities is CRC32 on every Linux for this architecture.
bool checksum_has_crc32c(void) { return getauxval(AT_HWCAP) & (1 << 7); }
#else
// Every Mac of this architecture has it.
bool checksum_has_crc32c(void) { return true; }
#endif
#else
#define INSTRUCTION
#define STEP8(crc, word) (__builtin_trap(), (crc))
#define STEP1(crc, byte) (__builtin_trap(), (crc))
bool checksum_has_crc32c(void) { return false; }
#endif

INSTRUCTION uint32_t checksum_crc32c(uint32_t crc, const void *bytes, size_t count) {
    const unsigned char *next = bytes;
    for (; count >= 8; count -= 8, next += 8) {
        uint64_t word;
        memcpy(&word, next, 8);
        crc = STEP8(crc, word);
    }
    for (; count > 0; count--, next++) crc = STEP1(crc, *next);
    return crc;
}
