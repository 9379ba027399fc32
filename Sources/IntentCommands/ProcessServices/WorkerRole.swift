import ArgumentParser
import IntentEvents

/// What a worker can be told to do: a stage, or recording.
enum WorkerRole: String, CaseIterable, ExpressibleByArgument, Sendable {
    /// Settles parameters with users.
    case resolve
    /// Checks, and asks users.
    case confirm
    /// Carries out.
    case handle
    /// Keeps everything in SQLite.
    case record

    /// The stage; nil for recording.
    var stage: Stage? { Stage(rawValue: self.rawValue) }
}
