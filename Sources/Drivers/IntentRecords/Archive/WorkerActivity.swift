package import IntentEvents

/// The activity of a worker on a stage's partition.
package struct WorkerActivity: Hashable, Sendable {
    package var stage: String
    package var partition: Int
    package var worker: String
    /// The number of turns that it has journaled.
    package var turns: Int
    /// The clock of its last turn.
    package var lastAt: Timestamp
}
