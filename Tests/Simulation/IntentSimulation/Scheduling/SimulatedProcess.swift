internal import IntentRuntime

/// One process of the simulated deployment: its tasks run, stop and end together.
///
/// `@unchecked Sendable`: used by the simulation's thread alone (``Scheduler``).
final class SimulatedProcess: @unchecked Sendable {
    /// The phase of its tasks.
    enum Phase {
        /// They run. Goes to `paused` or `dead`.
        case running
        /// Stopped by a signal: nothing runs until it continues.
        ///
        /// Goes to `running` or `dead`.
        case paused
        /// Killed: none of its tasks runs any more.
        ///
        /// Final.
        case dead
    }

    /// Its name, for the trace.
    let name: String
    /// The number of earlier processes with this name.
    let incarnation: Int
    /// The phase of its tasks.
    var phase = Phase.running
    /// Whether it was asked to leave.
    var isLeaving = false
    /// Jobs that wait because it is paused, or will never run because it is dead.
    var held: [UnsafeMutableRawPointer] = []
    /// The difference between its wall clock and the true time, in milliseconds.
    var clockError: Int64 = 0

    /// Creates a process.
    init(name: String, incarnation: Int) {
        self.name = name
        self.incarnation = incarnation
    }

    /// Its name in the trace.
    var description: String { "\(self.name)#\(self.incarnation)" }
}
