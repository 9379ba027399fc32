internal import IntentAudit
internal import IntentEvents
internal import IntentKit
internal import IntentRecords
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

    /// When a turn is drawn, when it ended, or the commit that wrote it.
    private struct Moment {
        enum Kind: Int {
            case turn
            case end
            case commit
        }

        var at: Timestamp
        var turn: Int
        var kind: Kind
    }

    /// The positions of the turns, of their ends, and of their commits.
    private struct Positions {
        var turns: [Double]
        var ends: [Double]
        var commits: [Double]
    }

    /// The class of a stage's colour.
    static func cssClass(_ stage: Stage) -> HTML {
        switch stage {
        case .resolve: "s1"
        case .confirm: "s2"
        case .handle: "s3"
        }
    }

    /// Draws the turns.
    ///
    /// - Parameters:
    ///   - turns: The turns, in order.
    ///   - spent: Where the time between them went (R80).
    /// - Returns: The drawing.
    static func drawing(_ turns: [TurnAccount], _ spent: InteractionTimes?) -> HTML {
        guard !turns.isEmpty else { return "" }
        let times = Self.times(turns)
        let ends = zip(turns, times).map { max($0.record.until ?? $1, $1) }
        let positions = Self.positions(times, ends, turns.map(\.writtenAt))
        var parts: [HTML] = Self.lanes.map { lane in
            """
            <text class="label" x="0" y="\(lane.y + 4)">\(lane.name)</text>\
            <line class="lane" x1="\(Self.left)" x2="\(Self.width)" y1="\(lane.y)" y2="\(lane.y)"/>
            """
        }
        for (index, turn) in turns.enumerated().dropFirst() {
            let before = turns[index - 1].record
            let (from, to) = (positions.turns[index - 1], positions.turns[index])
            let (upper, lower) = (Self.y(before.stage), Self.y(turn.record.stage))
            parts.append("<path class=\"hop\" d=\"M\(from) \(upper)L\(to) \(lower)\"/>")
            // Of a turn that was parked while its handler ran, nothing else shows how long that was.
            let wasParked = before.isOfRunningTurn && before.position == turn.record.position
            let waits = Self.waits(spent, from: times[index - 1], to: times[index], includesRunning: wasParked)
            guard let longest = waits.max(by: { $0.milliseconds < $1.milliseconds }), to - from > 14 else { continue }
            let cssClass: HTML = longest.state.isAwaiting ? "" : " parked"
            let all = waits.map { "\(Format.words($0.state)) \(Format.duration($0.milliseconds))" as HTML }
            parts.append(
                """
                <g><title>\(all.dropFirst().reduce(into: all[0]) { $0 += ", \($1)" })</title>\
                <line class="gap\(cssClass)" x1="\(from + 4)" x2="\(to - 4)" y1="26" y2="26"/>\
                <text x="\((from + to) / 2)" y="15" text-anchor="middle">\(Format.words(longest.state)) \
                \(Format.duration(longest.milliseconds))</text></g>
                """
            )
        }
        for (index, turn) in turns.enumerated() {
            let (begin, end) = (positions.turns[index], positions.ends[index])
            if end > begin {
                parts.append(Self.run(of: turn, from: begin, to: end, ends[index] - times[index]))
            }
            parts.append(Self.commit(of: turn, from: end, to: positions.commits[index], at: ends[index]))
        }
        for (index, turn) in turns.enumerated() {
            let (x, y) = (positions.turns[index], Self.y(turn.record.stage))
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

    /// How long an attempt ran that took long.
    private static func run(of turn: TurnAccount, from: Double, to: Double, _ milliseconds: Int64) -> HTML {
        let y = Self.y(turn.record.stage)
        return """
            <g><title>#\(turn.number) ran for \(Format.duration(milliseconds))</title>\
            <line class="run \(Self.cssClass(turn.record.stage))" x1="\(from)" x2="\(to)" y1="\(y)" y2="\(y)"/></g>
            """
    }

    /// The commit of a turn: from its end until it was written.
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

    /// What the interaction waited for between two times, and how long; its turns and their commits are drawn apart.
    private static func waits(
        _ times: InteractionTimes?,
        from: Timestamp,
        to: Timestamp,
        includesRunning: Bool
    ) -> [(state: InteractionState, milliseconds: Int64)] {
        var waits: [(state: InteractionState, milliseconds: Int64)] = []
        for span in times?.spans ?? [] where span.state != .committing {
            guard includesRunning || span.state != .running else { continue }
            let time = min(span.end, to) - max(span.start, from)
            guard time > 0 else { continue }
            if let index = waits.firstIndex(where: { $0.state == span.state }) {
                waits[index].milliseconds += time
            } else {
                waits.append((span.state, time))
            }
        }
        return waits
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

    /// The widths between the positions grow with the logarithm of the time.
    private static func positions(_ times: [Timestamp], _ ends: [Timestamp], _ written: [Timestamp]) -> Positions {
        let moments = times.indices
            .flatMap { turn in
                [
                    Moment(at: times[turn], turn: turn, kind: .turn),
                    ends[turn] > times[turn] ? Moment(at: ends[turn], turn: turn, kind: .end) : nil,
                    Moment(at: max(written[turn], ends[turn]), turn: turn, kind: .commit),
                ]
                .compactMap(\.self)
            }
            .sorted { ($0.at, $0.turn, $0.kind.rawValue) < ($1.at, $1.turn, $1.kind.rawValue) }
        let weights = zip(moments, moments.dropFirst())
            .map { before, after -> Double in
                // A mark needs room; the end of a turn or of a commit needs less.
                var weight = after.kind == .turn ? 0.8 : 0.3
                var rest = max(0, after.at - before.at) / 10
                while rest > 0 {
                    weight += 0.55
                    rest /= 2
                }
                return weight
            }
        let room = Self.width - Self.left - Self.right - 12
        let scale = room / max(weights.reduce(0, +), 4)
        let none = times.map { _ in 0.0 }
        var positions = Positions(turns: none, ends: none, commits: none)
        var x = Self.left + 14
        for (moment, weight) in zip(moments, [0] + weights) {
            x += weight * scale
            switch moment.kind {
            case .turn:
                positions.turns[moment.turn] = x
                positions.ends[moment.turn] = x
            case .end: positions.ends[moment.turn] = x
            case .commit: positions.commits[moment.turn] = x
            }
        }
        return positions
    }
}
