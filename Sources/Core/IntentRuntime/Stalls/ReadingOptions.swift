/// What a lane checks besides its records: that reading makes progress, and that the topics are still the same.
package struct ReadingOptions: Sendable {
    /// When a lack of progress is reported; nil for no checks while records are read.
    package var limits: ReadingWatch.Limits?
    /// Whether to continue after records that retention removed before they were read.
    package var acceptsLoss = false
    /// How long a topic may be missing, or end too early, before that counts.
    ///
    /// Brokers that are starting may not know it yet, and one that was cut off not its end.
    package var topicMissingTimeout = Duration.seconds(30)

    /// No checks while records are read, and no silent loss.
    package init() {}
}
