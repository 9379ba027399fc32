#ifndef CCRASHMARKS_H
#define CCRASHMARKS_H

#include <stddef.h>
#include <stdint.h>

/// The head of a file of marks: 64 bytes, then the marks, 16 bytes each.
typedef struct {
    /// Tells the file from others, and its format's version.
    uint64_t magic;
    /// How many marks there are.
    uint64_t count;
    /// The signal by which the process died of itself; 0 while it has not.
    uint64_t died;
    /// A digest of the deployment's id.
    uint64_t deployment;
    uint64_t reserved[4];
} crash_marks_head;

/// How the process died: after the marks, where earlier versions have nothing and read nothing.
typedef struct {
    /// The address at which a signal of the processor points; 0 for other signals.
    uint64_t address;
    /// The address of the instruction that ran; 0 where it is not known.
    uint64_t instruction;
    /// The address at which the program itself begins in memory: an instruction's offset from it finds its line.
    uint64_t program;
    /// The number of the thread; 0 where it is not known.
    uint64_t thread;
    /// The name of the thread, which ends at the first 0.
    char name[16];
    uint64_t reserved[2];
} crash_marks_detail;

/// A mark: what runs, in two words; 0 in the first one when nothing does.
typedef struct {
    uint64_t what;
    uint64_t offset;
} crash_mark;

/// Where the detail of a death stands, behind so many marks.
static inline size_t crash_marks_detail_offset(uint64_t count) {
    return sizeof(crash_marks_head) + (size_t)count * sizeof(crash_mark);
}

/// Writes a mark. Two stores, the one that says that there is a mark last; any thread may call it.
static inline void crash_marks_set(void *_Nonnull file, size_t index, uint64_t what, uint64_t offset) {
    crash_mark *mark = (crash_mark *)((char *)file + sizeof(crash_marks_head)) + index;
    __atomic_store_n(&mark->offset, offset, __ATOMIC_RELAXED);
    __atomic_store_n(&mark->what, what, __ATOMIC_RELEASE);
}

/// Has the deaths of this process be marked in a mapped file, and those who were told of its signals before be told after.
///
/// SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGFPE, SIGABRT: what a process sends to itself. A signal that another process sends
/// is passed on and not marked. To be called once a process; later calls change the file, whose head holds the number of
/// marks and whose size has room for a detail behind them.
/// - Returns: 0; else an error number.
int crash_marks_watch(void *_Nonnull file);

/// Has no deaths be marked in that file any more: it is about to be unmapped.
void crash_marks_unwatch(void *_Nonnull file);

/// Gives the calling thread a stack for signal handlers if it has none: one that has used up its own could not be
/// told of it. Costs a look at a variable but for the first time.
void crash_marks_prepare_thread(void);

#endif
