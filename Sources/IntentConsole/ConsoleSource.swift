package import IntentAudit
package import IntentKit

/// The source of a console's content: a record database, and topics where a broker is known.
package struct ConsoleSource: Sendable {
    /// Called with the amount of work that is done, and the total.
    package typealias Progress = @Sendable (_ done: Int64, _ total: Int64) -> Void

    /// The prefix of the topics' names.
    package var deployment: String
    /// The record database.
    package var records: String
    /// The masking.
    package var masking: ConsoleMasking
    /// The catalogue of intents, in the form of `intents --json`.
    package var intents: [JSONValue]
    /// What people should know on every page; nil for nothing.
    package var notice: String?
    /// Where the operator's tracing tool shows a trace; nil where none is known.
    package var traces: TraceLink?
    /// Queries the groups' lags and members.
    package var groups: (@Sendable () async throws -> ConsoleGroups)?
    /// Queries the health of a process's lanes, broker and store, one line each; `NOT OK` begins an unhealthy one's
    /// line.
    package var health: (@Sendable () async throws -> [String])?
    /// Reads a user's current vocabularies, as `resolve` has them; nil where no broker is known.
    package var vocabularies: (@Sendable (_ user: String) async throws -> [VocabularyStringType: UserVocabulary])?
    /// Runs turns again.
    package var replay: (@Sendable (ReplaySelection, @escaping Progress) async throws -> ReplayReport)?
    /// Plays interactions with today's handlers.
    package var shadow: (@Sendable (ReplaySelection, @escaping Progress) async throws -> ShadowReport)?
    /// Compares all records with each other.
    package var verify: (@Sendable (@escaping Progress) async throws -> AuditReport)?
    /// Sends dead letters' requests again, or reports what would be sent; nil when nothing may be changed.
    package var letters: ConsoleLetters?
    /// Sends what people say; nil when nothing may be changed.
    package var talk: ConsoleTalk?

    /// Creates a source with only records.
    package init(deployment: String, records: String, masking: ConsoleMasking, intents: [JSONValue]) {
        self.deployment = deployment
        self.records = records
        self.masking = masking
        self.intents = intents
    }
}
