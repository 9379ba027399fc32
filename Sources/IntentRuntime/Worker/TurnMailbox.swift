internal import IntentEvents
import Synchronization

/// Results of parked turns on their way to the lane that commits them.
final class TurnMailbox: Sendable {
    /// A parked turn has come to its end.
    struct Delivery {
        /// The partition.
        var partition: Int
        /// The user whose turn it is.
        var user: UserID
        /// Which running turn it is: an earlier one of the same user may have been cancelled.
        var token: Int
        /// What it came to; nil when there is nothing to commit.
        var result: TurnResult?
    }

    /// An event that overtakes a parked turn is to be tried again.
    struct Reminder {
        /// The partition.
        var partition: Int
        /// The user whose event it is.
        var user: UserID
    }

    private struct State {
        var deliveries: [Delivery] = []
        var reminders: [Reminder] = []
        var nextToken = 0
    }

    private let state = Mutex(State())
    private let wake: @Sendable () -> Void

    /// Makes a mailbox that wakes its lane when something comes.
    init(wake: @escaping @Sendable () -> Void) {
        self.wake = wake
    }

    /// A name for a running turn.
    func makeToken() -> Int {
        self.state.withLock { state in
            state.nextToken += 1
            return state.nextToken
        }
    }

    /// Puts a result in.
    func deliver(_ delivery: Delivery) {
        self.state.withLock { $0.deliveries.append(delivery) }
        self.wake()
    }

    /// Has the lane try an event again that overtakes a parked turn.
    func remind(_ reminder: Reminder) {
        self.state.withLock { $0.reminders.append(reminder) }
        self.wake()
    }

    /// Takes all reminders out.
    func drainReminders() -> [Reminder] {
        self.state.withLock { state in
            defer { state.reminders = [] }
            return state.reminders
        }
    }

    /// Has the lane look for work although nothing was delivered.
    func wakeLane() { self.wake() }

    /// Takes everything out.
    func drain() -> [Delivery] {
        self.state.withLock { state in
            defer { state.deliveries = [] }
            return state.deliveries
        }
    }
}
