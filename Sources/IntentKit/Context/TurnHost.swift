/// What stands behind a turn context: the live one carries out and journals, the replaying one answers from a journal.
package protocol TurnHost: Sendable {
    /// Carries out a read, or answers what it answered then.
    func run(_ name: String, _ body: @Sendable () async throws -> JSONValue) async throws -> JSONValue

    /// Reads the stores, or answers what they answered then.
    func read(
        _ name: String,
        _ body: @escaping @Sendable (any StoreTransaction) throws -> JSONValue
    ) async throws -> JSONValue

    /// Makes an effect once.
    func effect(
        _ name: String,
        _ body: @escaping @Sendable (any StoreTransaction) throws -> JSONValue
    ) async throws -> JSONValue

    /// An id that the same turn makes again in the same order (R7).
    func makeIdentifier() -> String

    /// The next 64 random bits of the turn's own sequence.
    func nextRandom() -> UInt64

    /// The user's vocabulary of a type, in order of importance.
    func vocabulary(_ type: VocabularyStringType) -> [VocabularyEntry]

    /// What words mean in the user's vocabulary of a type, else in the global one of a parameter.
    func vocabularyMatches(_ query: VocabularyQuery) -> [VocabularyMatch]
}
