import CRDKafka
import Foundation
import Synchronization

/// A thread that serves a producer's delivery reports.
final class ReportThread: Sendable {
    private let isStopped: Stop

    /// What the thread looks at, so that it does not keep its owner alive.
    private final class Stop: Sendable {
        let isRequested = Atomic(false)
    }

    /// Begins to serve this client's reports.
    init(_ client: KafkaClient) {
        let stop = Stop()
        self.isStopped = stop
        let thread = Thread {
            // Reports come as they arrive; the time-out only bounds how long a stop is not noticed.
            while !stop.isRequested.load(ordering: .acquiring) {
                rd_kafka_poll(client.handle, 100)
            }
        }
        thread.name = "intentd-reports"
        thread.start()
    }

    deinit {
        self.stop()
    }

    /// Lets the thread end, within a tenth of a second.
    func stop() {
        self.isStopped.isRequested.store(true, ordering: .releasing)
    }
}
