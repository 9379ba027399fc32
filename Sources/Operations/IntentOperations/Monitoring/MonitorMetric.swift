/// A metric of a process as a whole.
enum MonitorMetric: String, CaseIterable, Sendable {
    case lag = "intentd.consumer.lag"
    case open = "intentd.interactions.open"
    case ready = "intentd.lane.ready"
    case stalled = "intentd.lane.stalled"
    case stallDuration = "intentd.lane.stall.duration.seconds"
    case round = "intentd.lane.round.age.seconds"
    case parkedAge = "intentd.turns.parked.age.seconds"
    case broker = "intentd.broker.answers"
    case store = "intentd.store.answers"
    case suspected = "intentd.turns.suspected"
    case information = "intentd.build.info"

    /// Its name in earlier versions, under which it is also exported for two versions; nil if it never changed.
    var formerName: String? {
        switch self {
        case .stalled: "intentd.lane.standing"
        case .stallDuration: "intentd.lane.standstill.seconds"
        default: nil
        }
    }

    /// The description, for `# HELP`.
    var help: String {
        switch self {
        case .lag: "Offsets between what a group has committed and what can be read; markers of transactions count."
        case .open: "Interactions that have begun and not ended, as far as they are recorded; the recorder tells."
        case .ready: "1 while a lane does what it is there for, or stands by for those that do."
        case .stalled: "Partitions of a lane in which reading does not go on although there is more."
        case .stallDuration:
            "How long reading has stayed at one offset although there is more, in the lane's partition where that is "
                + "longest; 0 where it goes on."
        case .round: "How long ago a lane last went round its loop; an idle one does so every second."
        case .parkedAge: "How long the lane's first parked turn has been parked."
        case .broker: "1 while the broker answers."
        case .store: "1 while the store takes writes; missing where there is none."
        case .suspected: "Turns that ran when a process before this one died, and are not done yet."
        case .information: "1; the labels say which version this is."
        }
    }
}
