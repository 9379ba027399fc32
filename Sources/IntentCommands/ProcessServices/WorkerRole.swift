import ArgumentParser
import IntentEvents

/// A role of a worker: a stage, or recording.
enum WorkerRole: String, CaseIterable, ExpressibleByArgument, Sendable {
    /// Resolves parameters with users.
    case resolve
    /// Checks, and asks users.
    case confirm
    /// Carries intents out.
    case handle
    /// Records everything in SQLite.
    case record

    /// The stage; nil for recording.
    var stage: Stage? { Stage(rawValue: self.rawValue) }
}
