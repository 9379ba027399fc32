/// What a lane looks after besides its records: that reading goes on, and that the topics are still the same.
package struct ReadingOptions: Sendable {
    /// When a place at which reading stands is told of; nil to look after nothing while records are read.
    package var limits: ReadingWatch.Limits?
    /// Whether to go on behind records that retention removed before they were read.
    package var acceptsLoss = false
    /// How long a topic may be gone before it counts as gone for good: brokers that start may not know it yet.
    package var topicGoneAfter = Duration.seconds(30)

    /// Looks after nothing while records are read, and loses none in silence.
    package init() {}
}
