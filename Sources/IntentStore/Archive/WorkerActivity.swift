package import IntentEvents

/// Who has worked a stage's partition.
package struct WorkerActivity: Hashable, Sendable {
    /// The stage.
    package var stage: String
    /// The partition.
    package var partition: Int
    /// The worker's name.
    package var worker: String
    /// How many turns it has journaled.
    package var turns: Int
    /// The clock of the last of them.
    package var lastAt: Timestamp
}
