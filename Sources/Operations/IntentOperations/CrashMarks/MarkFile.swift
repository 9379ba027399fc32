internal import CCrashMarks
internal import Foundation
internal import IntentEvents
internal import IntentRuntime

/// The marks of the turns that run in a worker's process, in a file that is mapped into memory: the next process can
/// read them, however this one ends (R56).
///
/// `@unchecked Sendable`: the mapping neither moves nor ends while this object exists, and is only written by atomic
/// stores.
final class MarkFile: @unchecked Sendable {
    /// What a process has left behind.
    struct Remains {
        /// The signal by which it crashed; nil when it did not crash.
        var signal: Int32?
        /// The turns that were running.
        var marks: [TurnMark]
        /// Where it crashed; nil when it did not, or when its version wrote none.
        var crash: CrashSite?
    }

    /// `INTDCRS` and the format's version.
    private static let magic: UInt64 = 0x494E_5444_4352_5301

    /// The number of marks that there is room for.
    let capacity: Int
    private let base: UnsafeMutableRawPointer
    private let size: Int

    deinit {
        crash_marks_unwatch(self.base)
        munmap(self.base, self.size)
    }

    /// Recreates the file and maps it.
    ///
    /// - Parameters:
    ///   - path: The file; its content has been read before.
    ///   - capacity: The number of marks that it needs room for.
    ///   - deployment: The deployment's id.
    /// - Throws: ``OperationError`` when the file cannot be created, or the disk has no space for it.
    init(at path: String, capacity: Int, deployment: String) throws(OperationError) {
        self.capacity = capacity
        self.size = crash_marks_detail_offset(UInt64(capacity)) + MemoryLayout<crash_marks_detail>.size
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Self.failure("open", path) }
        defer { close(descriptor) }
        guard fchmod(descriptor, 0o600) == 0, ftruncate(descriptor, 0) == 0 else { throw Self.failure("empty", path) }
        // Writing to a page for which the disk has no space would end the process.
        let problem = posix_fallocate(descriptor, 0, off_t(self.size))
        guard problem == 0 else { throw Self.failure("allocate space for", path, problem) }
        guard let base = mmap(nil, self.size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0), base != MAP_FAILED
        else { throw Self.failure("map", path) }
        self.base = base
        var head = crash_marks_head()
        head.magic = Self.magic
        head.count = UInt64(capacity)
        head.deployment = Self.digest(deployment)
        base.storeBytes(of: head, as: crash_marks_head.self)
    }

    /// Makes crashes of this process be marked.
    /// - Throws: ``OperationError`` when the signal handlers cannot be installed.
    func watch() throws(OperationError) {
        let problem = crash_marks_watch(self.base)
        guard problem == 0 else { throw Self.failure("install signal handlers for", "this process", problem) }
    }

    /// Sets the mark of the turn in a slot.
    func set(_ mark: TurnMark?, at index: Int) {
        guard let mark else { return crash_marks_set(self.base, index, 0, 0) }
        crash_marks_prepare_thread()
        crash_marks_set(self.base, index, Self.word(of: mark), UInt64(bitPattern: mark.turn.position.offset))
    }

    // MARK: What a process has left behind

    /// Reads what the previous process has left; nothing when there is no such file, or it belongs to another
    /// deployment.
    static func remains(at path: String, deployment: String) -> Remains {
        guard let data = FileManager.default.contents(atPath: path),
            data.count >= MemoryLayout<crash_marks_head>.size
        else { return Remains(signal: nil, marks: []) }
        return data.withUnsafeBytes { bytes in
            let head = bytes.loadUnaligned(as: crash_marks_head.self)
            guard head.magic == Self.magic, head.deployment == Self.digest(deployment) else {
                return Remains(signal: nil, marks: [])
            }
            let room = (bytes.count - MemoryLayout<crash_marks_head>.size) / MemoryLayout<crash_mark>.size
            let marks = (0..<min(room, Int(clamping: head.count)))
                .compactMap { index in
                    Self.mark(
                        bytes.loadUnaligned(
                            fromByteOffset: MemoryLayout<crash_marks_head>.size
                                + index * MemoryLayout<crash_mark>.size,
                            as: crash_mark.self
                        )
                    )
                }
            guard head.died != 0 else { return Remains(signal: nil, marks: marks) }
            let signal = Int32(truncatingIfNeeded: head.died)
            return Remains(signal: signal, marks: marks, crash: CrashSite(bytes, behind: head.count))
        }
    }

    // MARK: The form of a mark

    /// From the lowest byte: 1 and the way of running; the stage, and whether its event is being read; the topic; then
    /// four bytes of partition.
    private static func word(of mark: TurnMark) -> UInt64 {
        let turn = mark.turn
        let stage = UInt64(Self.stages.firstIndex(of: turn.stage) ?? 0)
        let topic = UInt64(Self.topics.firstIndex(of: turn.position.topic) ?? 0)
        return 1 | UInt64(mark.company.rawValue) << 4 | stage << 8 | (turn.isReading ? 1 << 15 : 0) | topic << 16
            | UInt64(UInt32(truncatingIfNeeded: turn.position.partition)) << 32
    }

    private static func mark(_ mark: crash_mark) -> TurnMark? {
        let what = mark.what
        let stage = Int(what >> 8 & 0x7F)
        let topic = Int(what >> 16 & 0xFF)
        guard what & 0xF == 1, Self.stages.indices.contains(stage), Self.topics.indices.contains(topic),
            let company = TurnMark.Company(rawValue: UInt8(what >> 4 & 0xF))
        else { return nil }
        let position = RecordPosition(Self.topics[topic], Int(what >> 32), Int64(bitPattern: mark.offset))
        return TurnMark(TurnKey(Self.stages[stage], position, isReading: what >> 15 & 1 == 1), company)
    }

    /// The order is fixed here, since a file may come from another version.
    private static let stages: [Stage] = [.resolve, .confirm, .handle]
    /// The topics that stages read.
    private static let topics: [Topic] = [.requests, .resolved, .confirmed, .signals]

    /// FNV-1a.
    private static func digest(_ text: String) -> UInt64 {
        text.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
    }

    private static func failure(_ what: String, _ path: String, _ problem: Int32 = errno) -> OperationError {
        OperationError(.unavailable, "cannot \(what) \(path): \(String(cString: strerror(problem)))")
    }
}
