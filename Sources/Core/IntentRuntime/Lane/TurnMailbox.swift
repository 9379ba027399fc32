internal import IntentEvents
import Synchronization

/// Results and notes of parked turns on their way to the lane that commits them.
final class TurnMailbox: Sendable {
    /// The result of a parked turn, or a note of it.
    struct Delivery {
        var partition: Int
        var user: UserID
        /// Identifies the running turn: an earlier one of the same user may have been cancelled.
        var token: Int
        /// The result; nil when there is nothing to commit, and for a note.
        var result: TurnResult?
        /// What the turn says while it is still running (R74).
        var note: TurnNote?
        /// Ends when the note is committed; nil if nobody waits for that.
        var commit: NoteCommit?
    }

    /// A reminder to retry an event that overtakes a parked turn.
    struct Reminder {
        var partition: Int
        var user: UserID
    }

    private struct State {
        var deliveries: [Delivery] = []
        var reminders: [Reminder] = []
        var nextToken = 0
    }

    private let state = Mutex(State())
    private let wake: @Sendable () -> Void

    init(wake: @escaping @Sendable () -> Void) { self.wake = wake }

    func makeToken() -> Int {
        self.state.withLock { state in
            state.nextToken += 1
            return state.nextToken
        }
    }

    func deliver(_ delivery: Delivery) {
        self.state.withLock { $0.deliveries.append(delivery) }
        self.wake()
    }

    /// Makes the lane retry an event that overtakes a parked turn.
    func remind(_ reminder: Reminder) {
        self.state.withLock { $0.reminders.append(reminder) }
        self.wake()
    }

    func drainReminders() -> [Reminder] {
        self.state.withLock { state in
            defer { state.reminders = [] }
            return state.reminders
        }
    }

    /// Makes the lane look for work although nothing was delivered.
    func wakeLane() { self.wake() }

    func drain() -> [Delivery] {
        self.state.withLock { state in
            defer { state.deliveries = [] }
            return state.deliveries
        }
    }
}
