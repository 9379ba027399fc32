import IntentLab

/// The script of a simulated handler, from the request's parameter `script`.
struct HandlerScript: Hashable {
    /// The trouble of a handler's turn.
    enum Trouble: String, CaseIterable {
        /// None.
        case none
        /// The first attempt fails, and may be repeated.
        case passes
        /// Every attempt fails, and may be repeated.
        case persists
        /// It fails permanently.
        case fails
        /// It waits until it is cancelled.
        case hangs
        /// It never returns, cancelled or not.
        case hangsForGood
    }

    /// The durations of resolving, confirming and handling, in milliseconds.
    var waits: [Int]
    /// The number of its effects.
    var effects: Int
    /// The trouble, and its stage (0, 1, 2).
    var trouble: Trouble
    /// See ``trouble``.
    var troubleStage: Int
    /// Its response code.
    var code: String
    /// Whether it asks for confirmation.
    var asks: Bool
    /// Whether it posts to an external service.
    var posts: Bool
    /// For confirm and handle, the number of the look that finds the name taken, so that it asks back; 0 for none.
    ///
    /// A second look is that of a turn that runs again: the worker that ran it first may still make its effects.
    var taken: [Int]
    /// After how many milliseconds the interaction that handle starts is due, 0 for at once; nil where it starts none.
    var follows: Int?

    /// Draws a script.
    init(_ random: inout SeededNumbers) {
        let isSlow = random.happens(0.5)
        self.waits = (0..<3).map { _ in isSlow && random.coin() ? random.pick([1, 20, 300, 2_500, 6_000]) : 0 }
        self.effects = random.pick([0, 1, 1, 2, 3])
        self.trouble = random.happens(0.35) ? random.pick(Trouble.allCases) : .none
        self.troubleStage = random.pick([0, 1, 2, 2, 2])
        self.code = random.pick(["success", "success", "success", "success", "failure", "handleInApp", "continueInApp"])
        self.asks = random.coin()
        self.posts = random.happens(0.3)
        // Drawn from a copy, so that seeds keep their stories.
        var copy = random
        self.taken = (0..<2).map { _ in copy.happens(0.4) ? copy.pick([1, 1, 2]) : 0 }
        self.follows = copy.happens(0.4) ? copy.pick([0, 0, 300, 4_000]) : nil
    }

    /// The parameter's text.
    var text: String {
        let waits = self.waits.map(String.init).joined(separator: ",")
        let taken = self.taken.map(String.init).joined(separator: ",")
        return "\(waits);\(self.effects);\(self.trouble.rawValue);\(self.troubleStage);\(self.code);\(self.asks);"
            + "\(self.posts);\(taken);\(self.follows ?? -1)"
    }

    /// Reads the parameter's text.
    init?(_ text: String) {
        let parts = text.split(separator: ";").map(String.init)
        guard parts.count == 9, let effects = Int(parts[1]), let trouble = Trouble(rawValue: parts[2]),
            let stage = Int(parts[3]), let follows = Int(parts[8])
        else { return nil }
        self.waits = parts[0].split(separator: ",").compactMap { Int($0) }
        self.effects = effects
        self.trouble = trouble
        self.troubleStage = stage
        self.code = parts[4]
        self.asks = parts[5] == "true"
        self.posts = parts[6] == "true"
        self.taken = parts[7].split(separator: ",").compactMap { Int($0) }
        self.follows = follows < 0 ? nil : follows
        guard self.taken.count == 2 else { return nil }
    }
}
