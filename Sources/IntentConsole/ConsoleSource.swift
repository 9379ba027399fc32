package import IntentAudit
package import IntentKit

/// What a console shows, and by what ways it gets it: a record database, and topics where a broker is known.
package struct ConsoleSource: Sendable {
    /// Told how much of how much is done.
    package typealias Progress = @Sendable (_ done: Int64, _ total: Int64) -> Void

    /// What the topics' names begin with.
    package var deployment: String
    /// The record database.
    package var records: String
    /// What is masked.
    package var masking: ConsoleMasking
    /// The catalogue of intents, as `intents --json` has it.
    package var intents: [JSONValue]
    /// How far groups are behind.
    package var groups: (@Sendable () async throws -> ConsoleGroups)?
    /// What lanes, broker and store of a process say of themselves, a line each; `NOT OK` begins what is not well.
    package var health: (@Sendable () async throws -> [String])?
    /// Runs turns again.
    package var replay: (@Sendable (ReplaySelection, @escaping Progress) async throws -> ReplayReport)?
    /// Plays interactions with today's handlers.
    package var shadow: (@Sendable (ReplaySelection, @escaping Progress) async throws -> ShadowReport)?
    /// Compares everything with everything that says something of it.
    package var verify: (@Sendable (@escaping Progress) async throws -> AuditReport)?
    /// Sends dead letters' requests again, or says what would be sent; nil when nothing may be changed.
    package var letters: ConsoleLetters?
    /// Sends what people say; nil when nothing may be changed.
    package var talk: ConsoleTalk?

    /// A console of records alone.
    package init(deployment: String, records: String, masking: ConsoleMasking, intents: [JSONValue]) {
        self.deployment = deployment
        self.records = records
        self.masking = masking
        self.intents = intents
    }
}
