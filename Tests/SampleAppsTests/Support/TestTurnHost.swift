import IntentKit
import Synchronization

/// The live host of one turn over a test store.
final class TestTurnHost: TurnHost {
    private struct State {
        var reads: [String] = []
        var effects: [String] = []
        var identifiers = 0
        var random: UInt64 = 0
    }

    private let store: TestStore
    private let vocabularies: [VocabularyStringType: [VocabularyEntry]]
    private let globalVocabularies: GlobalVocabularies
    private let state = Mutex(State())
    /// What else happens to the store before each effect.
    private let beforeEffect: (@Sendable (any StoreTransaction) throws -> Void)?

    /// Distinguishes ids and effects of one interaction's turn from those of others.
    private let prefix: String

    init(
        store: TestStore,
        vocabularies: [VocabularyStringType: [VocabularyEntry]] = [:],
        globalVocabularies: GlobalVocabularies = GlobalVocabularies(),
        prefix: String = "",
        beforeEffect: (@Sendable (any StoreTransaction) throws -> Void)? = nil
    ) {
        self.store = store
        self.prefix = prefix
        self.beforeEffect = beforeEffect
        self.vocabularies = vocabularies
        self.globalVocabularies = globalVocabularies
    }

    /// The names of the reads made, in order.
    var reads: [String] { self.state.withLock { $0.reads } }

    func run(_ name: String, _ body: @Sendable () async throws -> JSONValue) async throws -> JSONValue {
        self.state.withLock { $0.reads.append(name) }
        return try await body()
    }

    func read(
        _ name: String,
        _ body: @escaping @Sendable (any StoreTransaction) throws -> JSONValue
    ) async throws -> JSONValue {
        self.state.withLock { $0.reads.append(name) }
        return try self.store.write(body)
    }

    func effect(
        _ name: String,
        _ body: @escaping @Sendable (any StoreTransaction) throws -> JSONValue
    ) async throws -> JSONValue {
        if let beforeEffect = self.beforeEffect { try self.store.write(beforeEffect) }
        let ordinal = self.state.withLock { state in
            state.effects.append(name)
            return state.effects.count { $0 == name } - 1
        }
        return try self.store.perform("\(self.prefix)\(name)/\(ordinal)", body)
    }

    func makeIdentifier() -> String {
        self.state.withLock { state in
            state.identifiers += 1
            return "\(self.prefix)id-\(state.identifiers)"
        }
    }

    func nextRandom() -> UInt64 {
        self.state.withLock { state in
            state.random &+= 0x9E37_79B9_7F4A_7C15
            return state.random
        }
    }

    func vocabulary(_ type: VocabularyStringType) -> [VocabularyEntry] { self.vocabularies[type] ?? [] }

    func vocabularyMatches(_ query: VocabularyQuery) -> [VocabularyMatch] {
        let user = query.type.flatMap { self.vocabularies[$0] }.map { UserVocabulary(version: "test", entries: $0) }
        return VocabularyAnswer(query, user: user, global: self.globalVocabularies).matches
    }
}
