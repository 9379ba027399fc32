package import IntentEvents
package import IntentKit

/// An interaction for `intentd list`: a row of `interactions` (R39).
package struct RecordedInteraction: Hashable, Sendable {
    /// The position of its request on `requests`.
    package var position: RecordPosition
    /// Its id; clients may use one again.
    package var interactionID: InteractionID?
    package var userID: UserID?
    package var intent: String?
    /// `INIntentHandlingStatus` of the terminal response, or so far; nil while a value is asked for.
    package var status: String?
    /// The intent's own code.
    package var code: String?
    package var endReason: String?
    /// The stage of the last answer.
    package var phase: String?
    /// When its request was written, by the client's clock; of a request that is not recorded, the clock of the turn
    /// that opened it; nil when neither is recorded.
    package var requestedAt: Timestamp?
    package var firstPromptAt: Timestamp?
    /// The terminal response's time; nil while it is open.
    package var endedAt: Timestamp?
    /// How many turns acted on it.
    package var turns: Int
    /// How many prompts were issued.
    package var prompts: Int
    /// How many terminal responses there are; never more than 1 (R9).
    package var terminalResponses: Int
    /// The parameters in the last response or prompt; sensitive ones are not masked (R40).
    package var parameters: JSONValue?

    /// The position in the form of `ce_request`, `partition:offset`.
    package var request: RequestID { "\(self.position.partition):\(self.position.offset)" }
    /// The column `duration`, which bounds a client's clock (R80a).
    var recordedDuration: Int64?
    /// Milliseconds from request to end.
    package var duration: Int64? {
        guard let end = self.endedAt, let start = self.requestedAt else { return nil }
        return self.recordedDuration ?? end - start
    }
}
