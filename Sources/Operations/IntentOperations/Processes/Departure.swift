package import IntentRuntime
internal import Synchronization

/// How the workers of this process leave their groups when they are stopped.
package final class Departure: Sendable {
    private let state: Mutex<LaneDeparture>

    /// The default, until another way is requested.
    package init(_ kind: LaneDeparture = .comesBack) {
        self.state = Mutex(kind)
    }

    /// How they leave.
    package var kind: LaneDeparture { self.state.withLock { $0 } }

    /// They do not come back.
    func recordForGood() {
        self.state.withLock { $0 = .forGood }
    }
}
