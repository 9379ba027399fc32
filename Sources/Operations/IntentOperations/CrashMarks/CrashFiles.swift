internal import Foundation
internal import IntentKit
internal import IntentRuntime
internal import Logging
internal import Telemetry

/// The marks of one worker's process, and the crash counts of turns in the whole data directory (R56).
final class CrashFiles: CrashMarks {
    /// The file of crash counts, which several processes may update at once.
    private struct Counts: Sendable {
        let data: DataDirectory
        let deployment: String

        /// Changes the counts exclusively: other workers of the directory count in the same file.
        func update(maxCrashes: Int, _ change: (inout SuspectTurns) -> Void) throws(OperationError) -> SuspectTurns {
            let descriptor = open(self.data.crashLock, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
            guard descriptor >= 0 else { throw Self.failure("open", self.data.crashLock) }
            defer { close(descriptor) }
            while flock(descriptor, LOCK_EX) != 0 {
                guard errno == EINTR else { throw Self.failure("lock", self.data.crashLock) }
            }
            var suspects = SuspectTurns(maxCrashes: maxCrashes)
            let text = FileManager.default.contents(atPath: self.data.crashes)
            let json = text.flatMap { try? JSONValue(parsing: Array($0)) }
            // Recreated topics have other turns at those positions.
            if let json, json["deployment"]?.string == self.deployment { suspects.restore(json["turns"] ?? .null) }
            let before = suspects
            change(&suspects)
            if suspects != before || text == nil && !suspects.isEmpty { try self.store(suspects) }
            return suspects
        }

        private func store(_ suspects: SuspectTurns) throws(OperationError) {
            let json: JSONValue = ["deployment": .string(self.deployment), "turns": suspects.json]
            let path = self.data.crashes
            let new = path + ".new"
            let descriptor = open(new, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
            guard descriptor >= 0 else { throw Self.failure("open", new) }
            let bytes = json.utf8
            let written = bytes.withUnsafeBytes { buffer in
                var count = 0
                while count < buffer.count {
                    let more = write(descriptor, buffer.baseAddress! + count, buffer.count - count)
                    guard more > 0 || errno == EINTR else { return false }
                    count += max(0, more)
                }
                return fsync(descriptor) == 0
            }
            close(descriptor)
            guard written, rename(new, path) == 0 else { throw Self.failure("write", path) }
        }

        private static func failure(_ what: String, _ path: String) -> OperationError {
            OperationError(.unavailable, "cannot \(what) \(path): \(String(cString: strerror(errno)))")
        }
    }

    private let file: MarkFile
    private let counts: Counts
    private let queue = DispatchQueue(label: "intentd.crashes")
    private let logger: Logger

    /// The number of marks that there is room for.
    var capacity: Int { self.file.capacity }

    private init(file: MarkFile, counts: Counts, logger: Logger) {
        self.file = file
        self.counts = counts
        self.logger = logger
    }

    /// Counts the crash of the previous process if there was one, recreates the marks, and watches over this process
    /// from now on.
    ///
    /// - Parameters:
    ///   - data: The data directory.
    ///   - worker: The worker's unique name.
    ///   - deployment: The deployment's id.
    ///   - capacity: The largest number of turns that run at once.
    ///   - maxCrashes: The number of crashes after which a turn runs alone.
    ///   - logger: Logs crashes.
    /// - Returns: The watch over this process's turns.
    /// - Throws: ``OperationError`` when the files cannot be created.
    static func watch(
        _ data: DataDirectory,
        worker: String,
        deployment: String,
        capacity: Int,
        maxCrashes: Int,
        logger: Logger
    ) throws(OperationError) -> CrashWatch {
        let path = data.marks(worker)
        let remains = MarkFile.remains(at: path, deployment: deployment)
        let counts = Counts(data: data, deployment: deployment)
        let clock = SystemRuntimeClock()
        let suspects = try counts.update(maxCrashes: maxCrashes) { suspects in
            // Turns that are marked when a process was killed, or lost its power, are not at fault.
            if remains.signal != nil { suspects.recordCrash(of: remains.marks, at: clock.now) }
        }
        if let signal = remains.signal {
            let named = remains.marks.prefix(10).map(\.turn.description)
            logger.warning(
                "The previous process crashed",
                metadata: [
                    TelemetryKey.signal: "\(signal)", TelemetryKey.worker: "\(worker)",
                    TelemetryKey.turnCount: "\(remains.marks.count)",
                    TelemetryKey.turns: "\(named.joined(separator: ","))",
                    TelemetryKey.crashSite: "\(remains.crash?.description ?? "unknown")",
                ]
            )
        }
        let file = try MarkFile(at: path, capacity: min(capacity, SuspectTurns.limit), deployment: deployment)
        try file.watch()
        let files = CrashFiles(file: file, counts: counts, logger: logger)
        let foundCrashAt = remains.signal == nil ? nil : clock.now
        return CrashWatch(suspects, foundCrashAt: foundCrashAt, marks: files, clock: clock)
    }

    /// Sets the mark of the turn in a slot.
    func set(_ mark: TurnMark?, at index: Int) { self.file.set(mark, at: index) }

    /// Forgets the counts of turns, some time later, on a thread of its own.
    func forget(_ turns: [TurnKey]) {
        self.queue.async {
            do throws(OperationError) {
                _ = try self.counts.update(maxCrashes: 1) { suspects in
                    for turn in turns { suspects.forget(turn) }
                }
            } catch {
                self.logger.info(
                    "Could not clear the crash counts of finished turns",
                    metadata: [TelemetryKey.errorMessage: "\(error.message)"]
                )
            }
        }
    }
    /// Returns when that is done.
    func settle() async {
        await withCheckedContinuation { continuation in self.queue.async { continuation.resume() } }
    }
}
