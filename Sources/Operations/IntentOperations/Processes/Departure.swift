package import IntentRuntime
internal import Synchronization

/// How the workers of this process leave their groups when they are stopped.
package final class Departure: Sendable {
    private let state: Mutex<LaneDeparture>

    /// The default, until another way is requested.
    package init(_ kind: LaneDeparture = .remainInGroup) {
        self.state = Mutex(kind)
    }

    /// How they leave.
    package var kind: LaneDeparture { self.state.withLock { $0 } }

    /// Records that the workers do not return: they leave their groups.
    func recordLeave() {
        self.state.withLock { $0 = .leaveGroup }
    }
}
