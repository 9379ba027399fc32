/// The implementation behind a turn context: the live one executes and journals, the replaying one answers from a
/// journal.
package protocol TurnHost: Sendable {
    /// Executes a read, or returns the recorded answer.
    func run(_ name: String, _ body: @Sendable () async throws -> JSONValue) async throws -> JSONValue

    /// Reads the stores, or returns the recorded answer.
    func read(
        _ name: String,
        _ body: @escaping @Sendable (any StoreTransaction) throws -> JSONValue
    ) async throws -> JSONValue

    /// Makes an effect once.
    func effect(
        _ name: String,
        _ body: @escaping @Sendable (any StoreTransaction) throws -> JSONValue
    ) async throws -> JSONValue

    /// Does a step once, and keeps its result beyond the process, or returns the kept result.
    func step(_ name: String, _ body: @Sendable () async throws -> JSONValue) async throws -> JSONValue

    /// Tells the user how far the task is, if the turn runs for long enough.
    func report(_ fraction: Double?, _ text: String?)

    /// Sends a follow-up when the turn's response is committed (R77), and returns its id.
    func send(_ followUp: FollowUp, of interactionID: String) throws(FollowUpError) -> String

    /// Cancels a follow-up when the turn's response is committed (R77).
    func cancel(followUp interactionID: String) throws(FollowUpError)

    /// An id (R7); the same turn makes the same ids in the same order.
    func makeIdentifier() -> String

    /// The next 64 random bits of the turn's own sequence.
    func nextRandom() -> UInt64

    /// The user's vocabulary of a type, in order of importance.
    func vocabulary(_ type: VocabularyStringType) -> [VocabularyEntry]

    /// What words mean in the user's vocabulary of a type, else in the global one of a parameter.
    func vocabularyMatches(_ query: VocabularyQuery) -> [VocabularyMatch]
}

extension TurnHost {
    /// By default nothing is kept: a step is a read.
    package func step(
        _ name: String,
        _ body: @Sendable () async throws -> JSONValue
    ) async throws -> JSONValue { try await self.run(name, body) }

    /// By default it does nothing.
    package func report(_ fraction: Double?, _ text: String?) {}

    /// By default nothing is sent.
    package func send(_ followUp: FollowUp, of interactionID: String) throws(FollowUpError) -> String {
        followUp.id(of: interactionID, digits: "00000000")
    }

    /// By default nothing is cancelled.
    package func cancel(followUp interactionID: String) throws(FollowUpError) {}
}
