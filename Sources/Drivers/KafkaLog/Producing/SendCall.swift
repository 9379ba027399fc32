import CRDKafka
import IntentRuntime
import Synchronization

/// One call of `send`: collects its records' delivery reports and resumes its caller once.
///
/// It lives until its last report, through the references of its tickets.
final class SendCall: Sendable {
    /// The context of a record's delivery report: its call, and its index.
    struct Ticket {
        /// The call, retained once for each ticket.
        var call: Unmanaged<SendCall>
        /// The record's index in the call.
        var index: Int
    }

    private struct State {
        var offsets: [Int64]
        var remaining: Int
        var failure: (index: Int, error: LogError)?
        var continuation: CheckedContinuation<Result<[Int64], LogError>, Never>?
    }

    private let state: Mutex<State>

    /// Awaits this many reports.
    init(count: Int, continuation: CheckedContinuation<Result<[Int64], LogError>, Never>) {
        self.state = Mutex(
            State(offsets: Array(repeating: -1, count: count), remaining: count, continuation: continuation)
        )
    }

    /// A ticket that librdkafka carries; ``report(_:offset:error:)`` takes it back.
    func makeTicket(_ index: Int) -> UnsafeMutableRawPointer {
        let ticket = UnsafeMutablePointer<Ticket>.allocate(capacity: 1)
        ticket.initialize(to: Ticket(call: Unmanaged.passRetained(self), index: index))
        return UnsafeMutableRawPointer(ticket)
    }

    /// Takes a ticket back with the result of its record; called once for each, on any thread.
    static func report(_ opaque: UnsafeMutableRawPointer, offset: Int64, error: LogError?) {
        let pointer = opaque.assumingMemoryBound(to: Ticket.self)
        let ticket = pointer.move()
        pointer.deallocate()
        ticket.call.takeRetainedValue().settle(ticket.index, offset: offset, error: error)
    }

    private func settle(_ index: Int, offset: Int64, error: LogError?) {
        let done = self.state.withLock { state in
            state.offsets[index] = offset
            state.remaining -= 1
            if let error, index < state.failure?.index ?? .max { state.failure = (index, error) }
            guard state.remaining == 0, let continuation = state.continuation else {
                return nil as (CheckedContinuation<Result<[Int64], LogError>, Never>, Result<[Int64], LogError>)?
            }
            state.continuation = nil
            return (continuation, state.failure.map { .failure($0.error) } ?? .success(state.offsets))
        }
        if let (continuation, result) = done { continuation.resume(returning: result) }
    }
}
