internal import IntentAudit
internal import IntentEvents
internal import IntentKit
internal import IntentRuntime

/// An interaction's turns on a time line, with a lane for each stage, one for the commits, and the waits between the
/// turns.
///
/// A wait of a day and one of a millisecond must both be visible: a longer wait is drawn wider, but not in proportion.
/// The text at each wait states its length.
enum TurnLanes {
    private static let width = 720.0
    private static let left = 74.0
    private static let right = 22.0
    private static let lanes: [(stage: Stage?, name: HTML, y: Double)] = [
        (nil, "waits for", 26), (.resolve, "resolve", 66), (.confirm, "confirm", 104), (.handle, "handle", 142),
        (nil, "commit", Self.commits),
    ]
    private static let commits = 180.0

    /// When a turn is drawn, or the commit that wrote it.
    private struct Moment {
        var at: Timestamp
        var turn: Int
        var isCommit: Bool
    }

    /// The class of a stage's colour.
    static func cssClass(_ stage: Stage) -> HTML {
        switch stage {
        case .resolve: "s1"
        case .confirm: "s2"
        case .handle: "s3"
        }
    }

    static func drawing(_ turns: [TurnAccount]) -> HTML {
        guard !turns.isEmpty else { return "" }
        let times = Self.times(turns)
        let (positions, commits) = Self.positions(times, turns.map(\.writtenAt))
        var parts: [HTML] = Self.lanes.map { lane in
            """
            <text class="label" x="0" y="\(lane.y + 4)">\(lane.name)</text>\
            <line class="lane" x1="\(Self.left)" x2="\(Self.width)" y1="\(lane.y)" y2="\(lane.y)"/>
            """
        }
        for (index, turn) in turns.enumerated().dropFirst() {
            let before = turns[index - 1].record
            let (from, to) = (positions[index - 1], positions[index])
            let (upper, lower) = (Self.y(before.stage), Self.y(turn.record.stage))
            parts.append("<path class=\"hop\" d=\"M\(from) \(upper)L\(to) \(lower)\"/>")
            guard let wait = Self.wait(after: before.outcome), to - from > 14 else { continue }
            let cssClass: HTML = wait.isHandler ? " parked" : ""
            parts.append(
                """
                <line class="gap\(cssClass)" x1="\(from + 4)" x2="\(to - 4)" y1="26" y2="26"/>\
                <text x="\((from + to) / 2)" y="15" text-anchor="middle">\(wait.text) \
                \(Format.duration(times[index] - times[index - 1]))</text>
                """
            )
        }
        for (index, turn) in turns.enumerated() {
            parts.append(Self.commit(of: turn, from: positions[index], to: commits[index], at: times[index]))
        }
        for (index, turn) in turns.enumerated() {
            let (x, y) = (positions[index], Self.y(turn.record.stage))
            parts.append(
                """
                <g><title>#\(turn.number) \(turn.record.stage.rawValue): \(turn.record.outcome.rawValue), \
                \(times[index] - times[0]) ms after the first</title>\
                <circle class="turn \(Self.cssClass(turn.record.stage))" cx="\(x)" cy="\(y)" r="9"/>\
                <text class="no" x="\(x)" y="\(y + 3.5)">\(turn.number)</text></g>
                """
            )
        }
        let total = times[times.count - 1] - times[0]
        return """
            <div class="scroll" tabindex="0" role="group" aria-label="Timeline of turns">\
            <svg class="chart lanes" viewBox="0 0 720 208" role="img" aria-label="\(turns.count) turns in \
            \(Format.duration(total)); they are listed below">\(parts)</svg></div>
            """
    }

    /// The commit of a turn: from the turn until it was written.
    private static func commit(of turn: TurnAccount, from: Double, to: Double, at: Timestamp) -> HTML {
        let duration = Format.duration(max(0, turn.writtenAt - at))
        let text: HTML =
            to - from < 40
            ? "" : "<text x=\"\((from + to) / 2)\" y=\"\(Self.commits + 18)\" text-anchor=\"middle\">\(duration)</text>"
        return """
            <g><title>#\(turn.number) was committed \(duration) later</title>\
            <path class="hop" d="M\(from) \(Self.y(turn.record.stage))L\(from) \(Self.commits)"/>\
            <line class="commit \(Self.cssClass(turn.record.stage))" x1="\(from)" x2="\(max(to, from + 2))" \
            y1="\(Self.commits)" y2="\(Self.commits)"/>\(text)</g>
            """
    }

    /// What the interaction waits for after such a turn.
    private static func wait(after outcome: TurnOutcome) -> (text: HTML, isHandler: Bool)? {
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
            let wasParked = before.map { $0.isOfRunningTurn && $0.position == record.position } ?? false
            // Of a short wait the journal does not say when it ended: not before the note of it was committed.
            let at = wasParked ? max(record.until ?? record.at, turns[index - 1].writtenAt) : record.at
            times.append(max(at, times.last ?? at))
        }
        return times
    }

    private static func y(_ stage: Stage) -> Double { Self.lanes.first { $0.stage == stage }?.y ?? 66 }

    /// The positions of the turns and of their commits: the widths between them grow with the logarithm of the time.
    private static func positions(
        _ times: [Timestamp],
        _ written: [Timestamp]
    ) -> (turns: [Double], commits: [Double]) {
        let moments = times.indices
            .flatMap { turn in
                [
                    Moment(at: times[turn], turn: turn, isCommit: false),
                    Moment(at: max(written[turn], times[turn]), turn: turn, isCommit: true),
                ]
            }
            .sorted { ($0.at, $0.turn, $0.isCommit ? 1 : 0) < ($1.at, $1.turn, $1.isCommit ? 1 : 0) }
        let weights = zip(moments, moments.dropFirst())
            .map { before, after -> Double in
                // A mark needs room; the end of a commit needs less.
                var weight = after.isCommit ? 0.3 : 0.8
                var rest = max(0, after.at - before.at) / 10
                while rest > 0 {
                    weight += 0.55
                    rest /= 2
                }
                return weight
            }
        let room = Self.width - Self.left - Self.right - 12
        let scale = room / max(weights.reduce(0, +), 4)
        var positions = (turns: times.map { _ in 0.0 }, commits: times.map { _ in 0.0 })
        var x = Self.left + 14
        for (moment, weight) in zip(moments, [0] + weights) {
            x += weight * scale
            if moment.isCommit { positions.commits[moment.turn] = x } else { positions.turns[moment.turn] = x }
        }
        return positions
    }
}
