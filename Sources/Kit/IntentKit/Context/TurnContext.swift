public import Foundation

/// Everything that a handler may touch (R16): the user, the time, the outside world, the stores.
///
/// What comes through it is journaled, so that the turn can be run again later and proved to be the same. A handler
/// that bypasses it to read a clock, make a random number or call a service cannot be replayed.
public struct TurnContext: Sendable {
    public let interactionID: String
    /// The id of the interaction whose effects this one shares: its own, unless it was redriven (R48).
    ///
    /// A client has chosen it, so interactions of other users may have the same one. ``idempotencyKey(for:ordinal:)``
    /// makes a key that no other request has.
    public let originalInteractionID: String
    /// Groups interactions that belong together, if the request has such an id.
    public let groupIdentifier: String?
    public let user: RequestingUser
    /// The device from which the user asks.
    public let device: RequestingDevice
    /// The user's language, as a BCP 47 tag such as `en-US`.
    public let locale: String
    /// The time of this turn; it does not pass while the handler runs.
    public let now: Date
    /// The number of this try of the turn: 1, and one more after each transient error.
    public let attempt: Int
    /// What a scenario wants the service to answer; nil except in workers started with `--scripted`.
    public let script: String?

    private let keys: IdempotencyKeys
    private let host: any TurnHost

    /// Makes a context; without keys they are those of a request of its own, named by the interaction.
    package init(
        interactionID: String,
        originalInteractionID: String? = nil,
        groupIdentifier: String?,
        user: RequestingUser,
        device: RequestingDevice,
        locale: String,
        now: Date,
        attempt: Int,
        script: String?,
        keys: IdempotencyKeys? = nil,
        host: any TurnHost
    ) {
        self.interactionID = interactionID
        self.originalInteractionID = originalInteractionID ?? interactionID
        self.groupIdentifier = groupIdentifier
        self.user = user
        self.device = device
        self.locale = locale
        self.now = now
        self.attempt = attempt
        self.script = script
        self.keys = keys ?? .request(self.originalInteractionID, deployment: "")
        self.host = host
    }

    /// A key by which a service recognises a repeated call, such as an `Idempotency-Key` (R30).
    ///
    /// It is the same for each try of this interaction, after a crash, and in an interaction that is redriven from it
    /// (R48). No other request has it: not that of another user with the same interaction id, nor a later one of this
    /// user.
    ///
    /// ```swift
    /// let key = context.idempotencyKey(for: "booking")
    /// let booking = try await context.run("booking") { try await service.book(table, key: key) }
    /// ```
    /// - Parameters:
    ///   - name: What is called; other names have other keys.
    ///   - ordinal: Distinguishes several calls of one name.
    /// - Returns: 32 hexadecimal digits. For an interaction that an earlier version of intentd began, it is the escaped
    ///   text `<interaction id>/<name>/<ordinal>`, as that version made it.
    public func idempotencyKey(for name: String, ordinal: Int = 0) -> String {
        self.keys.key(for: name, ordinal: ordinal)
    }

    /// Reads the outside world: runs the closure, or in a replay returns the recorded answer.
    ///
    /// - Parameters:
    ///   - name: Names the read in the journal; several with one name are distinguished by their order.
    ///   - body: The read. It may be repeated after a crash, so it must not change anything.
    /// - Returns: The closure's result, or the recorded one.
    /// - Throws: ``JournaledError`` for whatever the closure throws; `CancellationError` when the turn is over.
    public func run<Value: Codable & Sendable>(
        _ name: String,
        _ body: @Sendable () async throws -> Value
    ) async throws -> Value {
        let json = try await self.host.run(name) { try JournalCoding.encode(try await body()) }
        return try JournalCoding.decode(Value.self, from: json)
    }

    /// Reads the outside world like ``run(_:_:)``.
    ///
    /// The journal holds the JSON as it is, so that values in it are masked by their names.
    package func runJSON(
        _ name: String,
        _ body: @Sendable () async throws -> JSONValue
    ) async throws -> JSONValue {
        try await self.host.run(name, body)
    }

    /// Reads the deployment's stores; journaled like ``run(_:_:)->_``.
    ///
    /// - Throws: ``JournaledError`` for whatever the closure throws.
    public func read<Value: Codable & Sendable>(
        _ name: String,
        _ body: @escaping @Sendable (any StoreTransaction) throws -> Value
    ) async throws -> Value {
        let json = try await self.host.read(name) { try JournalCoding.encode(try body($0)) }
        return try JournalCoding.decode(Value.self, from: json)
    }

    /// Changes something, exactly once (R30).
    ///
    /// The closure runs in the transaction that records its result: when the turn is delivered again after a crash, the
    /// recorded result is returned and the closure does not run. Only in `handle`.
    /// - Throws: ``JournaledError`` for whatever the closure throws, and then nothing is written; ``LedgerClosedError``
    ///   when the interaction has ended meanwhile.
    @discardableResult
    public func effect<Value: Codable & Sendable>(
        _ name: String,
        _ body: @escaping @Sendable (any StoreTransaction) throws -> Value
    ) async throws -> Value {
        do {
            let json = try await self.host.effect(name) { try JournalCoding.encode(try body($0)) }
            return try JournalCoding.decode(Value.self, from: json)
        } catch let muted as MutedEffectError {
            return try PlaceholderDecoder.make(Value.self, named: "(\(muted.name), which was not done then)")
        }
    }

    /// Calls the outside world without using a result: runs the closure, but not in a replay; journaled as `null`.
    ///
    /// - Throws: ``JournaledError`` for whatever the closure throws; `CancellationError` when the turn is over.
    public func run(_ name: String, _ body: @Sendable () async throws -> Void) async throws {
        _ = try await self.host.run(name) {
            try await body()
            return .null
        }
    }

    /// Reads the deployment's stores, and throws if a check fails; journaled as `null`.
    ///
    /// - Throws: ``JournaledError`` for whatever the closure throws.
    public func read(
        _ name: String,
        _ body: @escaping @Sendable (any StoreTransaction) throws -> Void
    ) async throws {
        _ = try await self.host.read(name) {
            try body($0)
            return .null
        }
    }

    /// Changes something, exactly once, without a result: journaled as `null`.
    ///
    /// - Throws: ``JournaledError`` for whatever the closure throws, and then nothing is written; ``LedgerClosedError``
    ///   when the interaction has ended meanwhile.
    public func effect(
        _ name: String,
        _ body: @escaping @Sendable (any StoreTransaction) throws -> Void
    ) async throws {
        do {
            _ = try await self.host.effect(name) {
                try body($0)
                return .null
            }
        } catch is MutedEffectError {
            // No result needs a placeholder.
        }
    }

    /// Makes an id (R7).
    ///
    /// When the turn runs again, it makes the same ids in the same order.
    public func makeIdentifier() -> String { self.host.makeIdentifier() }

    /// Random numbers.
    ///
    /// When the turn runs again, it draws the same numbers in the same order.
    public var randomNumbers: TurnRandomNumbers { TurnRandomNumbers(host: self.host) }

    /// The user's vocabulary of a type, in order of importance (R37).
    ///
    /// All of it is journaled. To find out what words mean, use ``vocabularyMatches(for:type:parameter:)``, which
    /// journals only its answer.
    public func vocabulary(_ type: VocabularyStringType) -> [VocabularyEntry] { self.host.vocabulary(type) }

    /// The entities that words mean, in order of importance (R25).
    ///
    /// The user's own vocabulary answers first; the global one answers when the user's has no match. Words match
    /// identifiers, phrases, synonyms and pronunciations without regard to case, accents and spacing, by the rules of
    /// the language of ``locale``. The journal says which entries of which versions decided.
    ///
    /// ```swift
    /// let matches = context.vocabularyMatches(
    ///     for: name.spokenPhrase, type: .workoutActivityName, parameter: "INStartWorkoutIntent.workoutName")
    /// ```
    /// - Parameters:
    ///   - words: What the user said.
    ///   - type: The type of the user's own vocabulary for such words; nil where there is none.
    ///   - parameter: The path of the parameter in the global vocabulary, `<intent>.<parameter>`; nil to leave it out.
    /// - Returns: One entity when the words are clear, several when the user has to choose, none when no vocabulary has
    ///   them.
    public func vocabularyMatches(
        for words: String,
        type: VocabularyStringType? = nil,
        parameter: String? = nil
    ) -> [VocabularyMatch] {
        self.host.vocabularyMatches(
            VocabularyQuery(words: words, type: type, parameter: parameter, locale: self.locale)
        )
    }
}

/// A turn's own sequence of random numbers.
public struct TurnRandomNumbers: RandomNumberGenerator {
    let host: any TurnHost

    public mutating func next() -> UInt64 { self.host.nextRandom() }
}

/// Thrown by a host for an effect that is muted and has no recorded result: the handler gets a placeholder as its value
/// (R44).
package struct MutedEffectError: Error, Hashable, Sendable {
    package var name: String

    package init(name: String) { self.name = name }
}
