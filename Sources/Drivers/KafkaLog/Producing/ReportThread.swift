import CRDKafka
import Foundation
import Synchronization

/// A thread that serves a producer's delivery reports until it is stopped and none is outstanding.
final class ReportThread: Sendable {
    private let stopping: Stopping

    /// The thread's stop flag, apart from its owner, so that the thread does not keep the owner alive.
    private final class Stopping: Sendable {
        let isRequested = Atomic(false)
    }

    /// Starts to serve this client's reports.
    init(_ client: KafkaClient) {
        let stopping = Stopping()
        self.stopping = stopping
        let thread = Thread {
            let handle = client.handle
            // Reports come as they arrive; the time-out only bounds how long a stop goes unnoticed.
            while !stopping.isRequested.load(ordering: .acquiring) { rd_kafka_poll(handle, 100) }
            // Records in flight are given up. Each record gets its report, which resumes its sender.
            rd_kafka_purge(handle, RD_KAFKA_PURGE_F_QUEUE | RD_KAFKA_PURGE_F_INFLIGHT)
            while rd_kafka_outq_len(handle) > 0 { rd_kafka_poll(handle, 100) }
        }
        thread.name = "intentd-reports"
        thread.start()
    }

    deinit { self.stop() }

    /// Ends the thread, within a tenth of a second, when every record has its report.
    func stop() {
        self.stopping.isRequested.store(true, ordering: .releasing)
    }
}
