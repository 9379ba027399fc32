import Foundation

/// A serial executor with a thread of its own, for actors that call what blocks.
///
/// librdkafka's transaction calls and polls block for milliseconds to seconds; on Swift's pool of a thread a core
/// they would stop everything else.
final class OwnThread: SerialExecutor {
    private let queue = ThreadJobs()

    /// Starts the thread.
    init(name: String) {
        let thread = Thread { [queue] in queue.run() }
        thread.name = name
        thread.start()
    }

    deinit {
        self.queue.stop()
    }

    /// Hands a job to the thread.
    func enqueue(_ job: consuming ExecutorJob) {
        self.queue.add(UnownedJob(job), for: self.asUnownedSerialExecutor())
    }

    /// Ends the thread and returns when it has ended; not to be called on it.
    ///
    /// Jobs that come later run where they are enqueued, so calls on a closed actor return.
    func stop() async {
        self.queue.stop()
        await self.queue.ended()
    }
}

extension OwnThread {
    private static let origin = ContinuousClock.now

    /// The time since some moment, by a clock that nobody sets.
    static var uptime: Duration { self.origin.duration(to: .now) }

    /// Blocks the calling thread; only for code that runs on a thread of its own.
    static func sleep(_ duration: Duration) {
        let (seconds, attoseconds) = duration.components
        Thread.sleep(forTimeInterval: Double(seconds) + Double(attoseconds) / 1e18)
    }
}
