internal import IntentRuntime

/// One process of the simulated deployment: what runs, stops and dies together.
///
/// `@unchecked Sendable`: used by the simulation's thread alone (``Scheduler``).
final class SimulatedProcess: @unchecked Sendable {
    /// What becomes of its tasks.
    enum Phase {
        /// They run. Goes to `paused` or `dead`.
        case running
        /// Stopped by a signal: nothing runs until it goes on. Goes to `running` or `dead`.
        case paused
        /// Killed: nothing of it runs any more. Final.
        case dead
    }

    /// Its name, for the trace.
    let name: String
    /// Counts the processes that had this name before.
    let incarnation: Int
    /// What becomes of its tasks.
    var phase = Phase.running
    /// Whether it was asked to leave.
    var isLeaving = false
    /// Jobs that wait because it is paused, or will never run because it is dead.
    var held: [UnsafeMutableRawPointer] = []
    /// How far its wall clock is from the true time, in milliseconds.
    var clockError: Int64 = 0

    /// Begins a process.
    init(name: String, incarnation: Int) {
        self.name = name
        self.incarnation = incarnation
    }

    /// Its name in the trace.
    var description: String { "\(self.name)#\(self.incarnation)" }
}
