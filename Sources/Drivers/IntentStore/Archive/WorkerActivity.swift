package import IntentEvents

/// The activity of a worker on a stage's partition.
package struct WorkerActivity: Hashable, Sendable {
    /// The stage.
    package var stage: String
    /// The partition.
    package var partition: Int
    /// The worker's name.
    package var worker: String
    /// The number of turns that it has journaled.
    package var turns: Int
    /// The clock of its last turn.
    package var lastAt: Timestamp
}
