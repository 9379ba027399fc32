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
        case .lag: "Offsets between a group's committed and the last stable offset; transaction markers count."
        case .open: "Recorded interactions that have started and not ended."
        case .ready: "1 if a lane is ready: it processes events, or is a standby."
        case .stalled: "Partitions of a lane whose consumer does not advance although there are more records."
        case .stallDuration:
            "Time since the consumer last advanced in the lane's partition that has been stalled longest; 0 if none "
                + "is stalled."
        case .round: "Time since a lane's last poll; an idle lane polls every second."
        case .parkedAge: "Age of the lane's oldest parked turn."
        case .broker: "1 if the broker responds."
        case .store: "1 if the store accepts writes; absent without a store."
        case .suspected: "Turns that were running when an earlier process crashed, and have not completed."
        case .information: "Always 1; the labels name the version."
        }
    }
}
