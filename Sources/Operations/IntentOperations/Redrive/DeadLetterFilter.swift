package import IntentEvents
package import IntentRecords
internal import IntentRuntime

/// Selects dead letters: all conditions that are set must hold (R84).
package struct DeadLetterFilter: Hashable, Sendable {
    /// The fields of conditions.
    package enum Field: String, CaseIterable, Sendable {
        /// `intentd_error`.
        case error
        /// A part of `intentd_detail`.
        case detail
        case type
        case user
        case interaction
        case intent
        /// The stage that could not process it, or `webhooks`.
        case stage
        /// The topic that it came from, without the prefix.
        case topic
        /// Not older than that.
        case since
        /// Not younger than that.
        case until
        /// `yes` or `no`: whether an operator has marked it as handled.
        case handled
    }

    package private(set) var error: String?
    package private(set) var detail: String?
    package private(set) var type: String?
    package private(set) var userID: UserID?
    package private(set) var interactionID: InteractionID?
    package private(set) var intent: String?
    package private(set) var stage: String?
    package private(set) var topic: String?
    package private(set) var since: Timestamp?
    package private(set) var until: Timestamp?
    package private(set) var handled: Bool?

    /// Selects everything.
    package init() {}

    /// The filter for those of its letters that are not marked as handled: a redrive takes only these (R84e).
    package var unhandled: Self {
        var filter = self
        filter.handled = false
        return filter
    }

    /// Sets one condition.
    /// - Throws: ``OperationError``, `usage`, that says what would be right.
    package mutating func set(_ field: Field, _ text: String, now: Timestamp) throws(OperationError) {
        switch field {
        case .error: self.error = try InteractionQuery.known(text, "error", DeadLetterHeaders.errors)
        case .detail: self.detail = text
        case .type: self.type = text
        case .user: self.userID = UserID(text)
        case .interaction: self.interactionID = InteractionID(text)
        case .intent: self.intent = text
        case .stage: self.stage = try InteractionQuery.known(text, "stage", Self.places)
        case .topic: self.topic = text
        case .since: self.since = try TimeText.required(text, now: now)
        case .until: self.until = try TimeText.required(text, now: now)
        case .handled: self.handled = try InteractionQuery.known(text, "value of handled", ["yes", "no"]) == "yes"
        }
    }

    /// What may have been unable to process an event.
    package static let places = Stage.allCases.map(\.rawValue) + [DeadLetter.webhooks]

    /// Whether everything is selected.
    package var isEmpty: Bool { self == Self() }

    package func selects(_ letter: RecordedLetter) -> Bool {
        self.selectsByItself(letter) && (self.intent == nil || letter.intent == self.intent)
            && (self.handled.map { $0 == (letter.handled != nil) } ?? true)
    }

    /// Whether it may select a letter whose intent and mark are not known yet.
    func maySelect(_ letter: RecordedLetter) -> Bool {
        self.selectsByItself(letter)
            && (self.intent == nil || letter.intent == self.intent || letter.intent == nil && letter.request != nil)
    }

    private func selectsByItself(_ letter: RecordedLetter) -> Bool {
        (self.error == nil || letter.error == self.error)
            && (self.detail.map { letter.detail?.contains($0) ?? false } ?? true)
            && (self.type == nil || letter.type == self.type)
            && (self.userID == nil || letter.userID == self.userID)
            && (self.interactionID == nil || letter.interactionID == self.interactionID)
            && (self.stage == nil || letter.stage == self.stage)
            && (self.topic.map { topic in letter.topic.map { $0 == topic || $0.hasSuffix(".\(topic)") } ?? false }
                ?? true)
            && (self.since.map { letter.timestamp >= $0 } ?? true)
            && (self.until.map { letter.timestamp <= $0 } ?? true)
    }
}

extension RecordedLetter {
    /// The name of the topic that it came from.
    fileprivate var topic: String? {
        self.origin.map { String($0.prefix { $0 != "/" }) }
    }
}
