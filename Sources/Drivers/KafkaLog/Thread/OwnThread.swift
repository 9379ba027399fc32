import Foundation

/// A serial executor with a thread of its own, for actors that make blocking calls.
///
/// librdkafka's transaction calls and polls block for milliseconds to seconds. On Swift's pool, with one thread for
/// each core, they would stop everything else.
final class OwnThread: SerialExecutor {
    private let queue = ThreadJobs()

    /// Starts the thread.
    init(name: String) {
        let thread = Thread { [queue] in queue.run() }
        thread.name = name
        thread.start()
    }

    deinit { self.queue.stop() }

    func enqueue(_ job: consuming ExecutorJob) { self.queue.add(UnownedJob(job), for: self.asUnownedSerialExecutor()) }

    /// Ends the thread and returns when it has ended; it must not be called on that thread.
    ///
    /// Jobs that come later run where they are enqueued, so calls on a closed actor return.
    func stop() async {
        self.queue.stop()
        await self.queue.ended()
    }
}

extension OwnThread {
    private static let origin = ContinuousClock.now

    /// The time by a monotonic clock.
    static var uptime: Duration { self.origin.duration(to: .now) }

    /// Blocks the calling thread; only for code that runs on a thread of its own.
    static func sleep(_ duration: Duration) {
        let (seconds, attoseconds) = duration.components
        Thread.sleep(forTimeInterval: Double(seconds) + Double(attoseconds) / 1e18)
    }
}
