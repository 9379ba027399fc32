/// A metric of a process as a whole.
enum MonitorMetric: String, CaseIterable, Sendable {
    case lag = "intentd.consumer.lag"
    case open = "intentd.interactions.open"
    case ready = "intentd.lane.ready"
    case standing = "intentd.lane.standing"
    case suspected = "intentd.turns.suspected"
    case information = "intentd.build.info"

    /// The description, for `# HELP`.
    var help: String {
        switch self {
        case .lag: "Offsets between what a group has committed and what can be read; markers of transactions count."
        case .open: "Interactions that have begun and not ended, as far as they are recorded; the recorder tells."
        case .ready: "1 while a lane does what it is there for, or stands by for those that do."
        case .standing: "Partitions of a lane in which reading does not go on although there is more."
        case .suspected: "Turns that ran when a process before this one died, and are not done yet."
        case .information: "1; the labels say which version this is."
        }
    }
}
