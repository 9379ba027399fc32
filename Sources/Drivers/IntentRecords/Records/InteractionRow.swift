internal import IntentEvents
internal import IntentKit

/// What is known about an interaction from any subset of its events.
///
/// ``merge(_:)`` is commutative and associative, so the result is the same row whatever the order of reading and the
/// limits of batches (R39). Counts add up because each event is recorded once.
struct InteractionRow: Hashable, Sendable {
    /// The user, the intent and the id: from the turn that opened the interaction, else from its request, else the minimum
    /// of what other events say.
    var identity = Identity()
    var firstPromptAt: Int64?
    /// How many turns acted on it.
    var turns: Int64 = 0
    /// How many prompts were issued.
    var prompts: Int64 = 0
    /// How many terminal responses there are.
    var terminalResponses: Int64 = 0
    /// The terminal response, or the latest response or prompt.
    var response: Response?

    mutating func merge(_ other: Self) {
        self.identity.merge(other.identity)
        self.firstPromptAt = [self.firstPromptAt, other.firstPromptAt].compactMap(\.self).min()
        self.turns += other.turns
        self.prompts += other.prompts
        self.terminalResponses += other.terminalResponses
        if let response = other.response, self.response.map(response.supersedes) ?? true {
            self.response = response
        }
    }
}

extension InteractionRow {
    /// The user, the intent and the id.
    struct Identity: Hashable, Sendable {
        /// When the request was written to the log; nil while it is not known.
        var writtenAt: Int64?
        /// The clock of the turn that opened the interaction; nil while that turn is not known.
        var openedAt: Int64?
        var interactionID: InteractionID?
        var userID: UserID?
        var intent: String?

        /// The beginning that is shown (R80).
        var requestedAt: Int64? { self.writtenAt ?? self.openedAt }

        /// How much it knows: 2 from the opening turn, 1 from the request, else 0.
        private var rank: Int { self.openedAt != nil ? 2 : self.writtenAt != nil ? 1 : 0 }

        /// The opening turn counts, else the request; without either, each member is the minimum of all values.
        mutating func merge(_ other: Self) {
            let writtenAt = self.writtenAt ?? other.writtenAt
            if self.rank < other.rank {
                self = other
            } else if self.rank == other.rank {
                // Two turns cannot open one interaction; should the topics say so, one of them is chosen
                // deterministically.
                if let mine = self.openedAt, let theirs = other.openedAt {
                    if theirs < mine || theirs == mine && other.bytes.lexicographicallyPrecedes(self.bytes) {
                        self = other
                    }
                } else if self.rank == 0 {
                    self.interactionID = Self.least(self.interactionID, other.interactionID, by: <)
                    self.userID = Self.least(self.userID, other.userID, by: <)
                    // By bytes: Swift's own order considers texts equal that differ in their composition.
                    self.intent = Self.least(self.intent, other.intent) { $0.utf8.lexicographicallyPrecedes($1.utf8) }
                }
            }
            self.writtenAt = writtenAt
        }

        private var bytes: [UInt8] {
            JSONValue.array(
                [self.interactionID?.json, self.userID?.json, self.intent.map(JSONValue.string)].map { $0 ?? .null }
            )
            .utf8
        }

        private static func least<Value>(
            _ first: Value?,
            _ second: Value?,
            by precedes: (Value, Value) -> Bool
        ) -> Value? {
            guard let first, let second else { return first ?? second }
            return precedes(second, first) ? second : first
        }
    }

    /// What a response or a prompt says about the interaction.
    struct Response: Hashable, Sendable {
        /// Whether it ends the interaction.
        var isTerminal: Bool
        /// Its partition on `responses`.
        var partition: Int64
        var offset: Int64
        /// When it was written to the log.
        var at: Int64
        /// `INIntentHandlingStatus`; nil when a value is asked for.
        var status: String?
        /// The intent's own code.
        var code: String?
        var endReason: String?
        var phase: String?
        /// The parameters, as JSON.
        var parameters: String?

        /// A terminal response takes precedence over any other event, and the first one over a second; among the
        /// others, the latest counts.
        func supersedes(_ other: Self) -> Bool {
            guard self.isTerminal == other.isTerminal else { return self.isTerminal }
            let mine = (self.partition, self.offset)
            let theirs = (other.partition, other.offset)
            return self.isTerminal ? mine < theirs : mine > theirs
        }
    }
}
