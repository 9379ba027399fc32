internal import IntentAudit
internal import IntentEvents
internal import IntentRuntime

/// An interaction's turns on a time line, with a lane for each stage and the waits between the turns.
///
/// A wait of a day and one of a millisecond must both be visible: a longer wait is drawn wider, but not in proportion.
/// The text at each wait states its length.
enum TurnLanes {
    private static let width = 720.0
    private static let left = 74.0
    private static let right = 22.0
    private static let lanes: [(stage: Stage?, name: HTML, y: Double)] = [
        (nil, "waits for", 26), (.resolve, "resolve", 66), (.confirm, "confirm", 104), (.handle, "handle", 142),
    ]

    /// The class of a stage's colour.
    static func look(_ stage: Stage) -> HTML {
        switch stage {
        case .resolve: "s1"
        case .confirm: "s2"
        case .handle: "s3"
        }
    }

    /// The drawing.
    static func drawing(_ turns: [TurnAccount]) -> HTML {
        guard !turns.isEmpty else { return "" }
        let times = Self.times(turns)
        let places = Self.places(times)
        var parts: [HTML] = Self.lanes.map { lane in
            """
            <text class="label" x="0" y="\(lane.y + 4)">\(lane.name)</text>\
            <line class="lane" x1="\(Self.left)" x2="\(Self.width)" y1="\(lane.y)" y2="\(lane.y)"/>
            """
        }
        for (index, turn) in turns.enumerated().dropFirst() {
            let before = turns[index - 1].record
            let (from, to) = (places[index - 1], places[index])
            let (upper, lower) = (Self.y(before.stage), Self.y(turn.record.stage))
            parts.append("<path class=\"hop\" d=\"M\(from) \(upper)L\(to) \(lower)\"/>")
            guard let wait = Self.wait(after: before.outcome), to - from > 14 else { continue }
            let look: HTML = wait.isHandler ? " parked" : ""
            parts.append(
                """
                <line class="gap\(look)" x1="\(from + 4)" x2="\(to - 4)" y1="26" y2="26"/>\
                <text x="\((from + to) / 2)" y="15" text-anchor="middle">\(wait.words) \
                \(Words.duration(times[index] - times[index - 1]))</text>
                """
            )
        }
        for (index, turn) in turns.enumerated() {
            let (x, y) = (places[index], Self.y(turn.record.stage))
            parts.append(
                """
                <g><title>#\(turn.number) \(turn.record.stage.rawValue): \(turn.record.outcome.rawValue), \
                \(times[index] - times[0]) ms after the first</title>\
                <circle class="turn \(Self.look(turn.record.stage))" cx="\(x)" cy="\(y)" r="9"/>\
                <text class="no" x="\(x)" y="\(y + 3.5)">\(turn.number)</text></g>
                """
            )
        }
        let total = times[times.count - 1] - times[0]
        return """
            <div class="scroll" tabindex="0" role="group" aria-label="Time line of turns">\
            <svg class="chart lanes" viewBox="0 0 720 170" role="img" aria-label="\(turns.count) turns in \
            \(Words.duration(total)); they are listed below">\(parts)</svg></div>
            """
    }

    /// What the interaction waits for after such a turn.
    private static func wait(after outcome: TurnOutcome) -> (words: HTML, isHandler: Bool)? {
        switch outcome {
        case .prompted: ("the user", false)
        case .parked, .reported: ("the handler", true)
        default: nil
        }
    }

    /// When each turn is drawn: when it began, or, when it was parked meanwhile, when its handler answered.
    private static func times(_ turns: [TurnAccount]) -> [Timestamp] {
        var times: [Timestamp] = []
        for (index, turn) in turns.enumerated() {
            let record = turn.record
            let before = index > 0 ? turns[index - 1].record : nil
            let wasParked = before.map { $0.isParkingNote && $0.position == record.position } ?? false
            let at = wasParked ? record.until ?? record.at : record.at
            times.append(max(at, times.last ?? at))
        }
        return times
    }

    private static func y(_ stage: Stage) -> Double { Self.lanes.first { $0.stage == stage }?.y ?? 66 }

    /// The positions of the turns: the widths between them grow with the logarithm of the time.
    private static func places(_ times: [Timestamp]) -> [Double] {
        let weights = zip(times, times.dropFirst())
            .map { before, after -> Double in
                var weight = 1.0
                var rest = max(0, after - before) / 10
                while rest > 0 {
                    weight += 0.55
                    rest /= 2
                }
                return weight
            }
        let room = Self.width - Self.left - Self.right - 12
        let scale = room / max(weights.reduce(0, +), 4)
        var x = Self.left + 14
        var places = [x]
        for weight in weights {
            x += weight * scale
            places.append(x)
        }
        return places
    }
}
