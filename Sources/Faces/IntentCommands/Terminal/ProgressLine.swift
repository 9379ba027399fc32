/// The progress of work, in one line.
struct ProgressLine: Hashable {
    /// The number of characters in the bar.
    private static let barLength = 24

    /// The number of finished items.
    var done: Int64
    /// The total; nil when it is not known.
    var total: Int64?
    /// The unit; empty when nothing is counted.
    var unit: String
    /// The finished share of the work, 0 to 1, where it is known better than from the count.
    var share: Double?
    /// The time that it has taken so far.
    var elapsed: Duration

    /// The line in this many columns: bar, share, count, rate, and the remaining time; without a total the time so far.
    func text(columns: Int) -> String {
        let seconds = self.elapsed / .seconds(1)
        let share = self.known
        var parts: [String] = []
        if let share { parts.append("\(Int(share * 100)) %") }
        if !self.unit.isEmpty {
            parts.append(self.total.map { "\(self.done) of \($0) \(self.unit)" } ?? "\(self.done) \(self.unit)")
            if self.done > 0, seconds >= 1 { parts.append("\(Int64(Double(self.done) / seconds))/s") }
        }
        switch share {
        // An estimate after only a moment would be a guess.
        case let share? where share > 0 && seconds >= 1:
            parts.append("\(Self.clock(seconds * (1 - share) / share)) left")
        case nil: parts.append(Self.clock(seconds))
        default: break
        }
        let words = parts.joined(separator: "  ")
        guard let share, columns >= words.count + Self.barLength + 4 else { return String(words.prefix(columns)) }
        let filled = Int(share * Double(Self.barLength))
        let bar =
            String(repeating: "#", count: filled) + String(repeating: "-", count: Self.barLength - filled)
        return "[\(bar)] \(words)"
    }

    private var known: Double? {
        let share = self.share ?? self.total.flatMap { $0 > 0 ? Double(self.done) / Double($0) : nil }
        return share.map { min(1, max(0, $0)) }
    }

    /// Seconds as `m:ss` or `h:mm:ss`.
    private static func clock(_ seconds: Double) -> String {
        // A rate near zero would give a remaining time that cannot be shown.
        let whole = Int64(min(max(seconds, 0), 359_999).rounded())
        let (hours, minutes, rest) = (whole / 3_600, whole / 60 % 60, whole % 60)
        let tail = rest < 10 ? "0\(rest)" : "\(rest)"
        guard hours > 0 else { return "\(minutes):\(tail)" }
        return "\(hours):\(minutes < 10 ? "0" : "")\(minutes):\(tail)"
    }
}
