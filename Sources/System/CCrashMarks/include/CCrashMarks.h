#ifndef CCRASHMARKS_H
#define CCRASHMARKS_H

#include <stddef.h>
#include <stdint.h>

/// The head of a file of marks: 64 bytes, then the marks, 16 bytes each.
typedef struct {
    /// Identifies the file and the version of its format.
    uint64_t magic;
    /// The number of marks.
    uint64_t count;
    /// The signal by which the process crashed; 0 while it has not.
    uint64_t died;
    /// A digest of the deployment's id.
    uint64_t deployment;
    uint64_t reserved[4];
} crash_marks_head;

/// How the process crashed: after the marks, where earlier versions write and read nothing.
typedef struct {
    /// The address that the signal reports, if the processor raised it; 0 for other signals.
    uint64_t address;
    /// The address of the instruction that ran; 0 if unknown.
    uint64_t instruction;
    /// The address at which the program itself begins in memory: an instruction's offset from it finds its line.
    uint64_t program;
    /// The number of the thread; 0 if unknown.
    uint64_t thread;
    /// The name of the thread, which ends at the first 0.
    char name[16];
    uint64_t reserved[2];
} crash_marks_detail;

/// A mark: what runs, in two words; the first is 0 if nothing does.
typedef struct {
    uint64_t what;
    uint64_t offset;
} crash_mark;

/// The offset in the file of the detail of a crash, after that number of marks.
static inline size_t crash_marks_detail_offset(uint64_t count) {
    return sizeof(crash_marks_head) + (size_t)count * sizeof(crash_mark);
}

/// Writes a mark. Two stores, the one that says that there is a mark last; any thread may call it.
static inline void crash_marks_set(void *_Nonnull file, size_t index, uint64_t what, uint64_t offset) {
    crash_mark *mark = (crash_mark *)((char *)file + sizeof(crash_marks_head)) + index;
    __atomic_store_n(&mark->offset, offset, __ATOMIC_RELAXED);
    __atomic_store_n(&mark->what, what, __ATOMIC_RELEASE);
}

/// Marks crashes of this process in a mapped file, then passes the signal on to its previous handler.
///
/// Handles SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGFPE and SIGABRT. A signal that another process sends is passed on and
/// not marked. Call it once per process; later calls change the file, whose head holds the number of marks and whose
/// size has room for a detail after them.
/// - Returns: 0; else an error number.
int crash_marks_watch(void *_Nonnull file);

/// Stops marking crashes in that file, which is about to be unmapped.
void crash_marks_unwatch(void *_Nonnull file);

/// Gives the calling thread an alternate stack for signal handlers if it has none: a handler cannot run on a stack that
/// has overflowed. After the first call on a thread it costs the read of one variable.
void crash_marks_prepare_thread(void);

#endif
