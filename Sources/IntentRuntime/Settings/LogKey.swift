/// The keys of log metadata, each in one place: dotted, lower case.
package enum LogKey {
    /// What an error says.
    package static let error = "error.message"
    /// How often it has failed in a row.
    package static let failures = "error.count"
    /// How long until it is tried again, in milliseconds.
    package static let retryDelay = "retry.delay"
    /// When it is tried again.
    package static let retryAt = "retry.at"
    /// A stage.
    package static let stage = "stage"
    /// A lane's name.
    package static let lane = "lane"
    /// A worker's name.
    package static let worker = "worker"
    /// An intent's name.
    package static let intent = "intent.name"
    /// An interaction's id.
    package static let interaction = "interaction.id"
    /// A handler's name.
    package static let handler = "handler.name"
    /// A handler's version.
    package static let handlerVersion = "handler.version"
    /// The event of a turn, `topic/partition/offset`.
    package static let event = "event.position"
    /// Which try of a turn it was.
    package static let attempt = "turn.attempt"
    /// How many processes have died.
    package static let deaths = "crash.deaths"
    /// The signal by which a process died.
    package static let signal = "crash.signal"
    /// The turns that were running when a process died.
    package static let turns = "crash.turns"
    /// How many turns there are.
    package static let turnCount = "crash.count"
    /// A file.
    package static let path = "file.path"
    /// A partition of a topic.
    package static let partition = "log.partition"
    /// Partitions of topics.
    package static let partitions = "log.partitions"
    /// The first offset of a stretch.
    package static let from = "log.from"
    /// The offset behind a stretch.
    package static let to = "log.to"
}
