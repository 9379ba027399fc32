public import Foundation

/// Everything that a handler may touch (R16): the user, the time, the outside world, the stores.
///
/// What comes through it is journaled, so that the turn can be run again later and proved to be the same. A handler
/// that bypasses it to read a clock, make a random number or call a service cannot be replayed.
public struct TurnContext: Sendable {
    /// The parts of a context, which never change: a copy of them would count a reference for each.
    private final class Parts: Sendable {
        let interactionID: String
        let originalInteractionID: String
        let groupIdentifier: String?
        let user: RequestingUser
        let device: RequestingDevice
        let locale: String
        let timeZoneName: String
        let now: Date
        let attempt: Int
        let script: String?
        let followsFrom: FollowedFrom?
        let declinedValues: [String: [JSONValue]]
        let followUps: FollowUpScope
        let keys: IdempotencyKeys
        let host: any TurnHost

        init(
            interactionID: String,
            originalInteractionID: String,
            groupIdentifier: String?,
            user: RequestingUser,
            device: RequestingDevice,
            locale: String,
            timeZoneName: String,
            now: Date,
            attempt: Int,
            script: String?,
            followsFrom: FollowedFrom?,
            declinedValues: [String: [JSONValue]],
            followUps: FollowUpScope,
            keys: IdempotencyKeys,
            host: any TurnHost
        ) {
            self.interactionID = interactionID
            self.originalInteractionID = originalInteractionID
            self.groupIdentifier = groupIdentifier
            self.user = user
            self.device = device
            self.locale = locale
            self.timeZoneName = timeZoneName
            self.now = now
            self.attempt = attempt
            self.script = script
            self.followsFrom = followsFrom
            self.declinedValues = declinedValues
            self.followUps = followUps
            self.keys = keys
            self.host = host
        }
    }

    private let parts: Parts

    public var interactionID: String { self.parts.interactionID }
    /// The id of the interaction whose effects this one shares: its own, unless it was redriven (R48).
    ///
    /// A client has chosen it, so interactions of other users may have the same one. ``idempotencyKey(for:ordinal:)``
    /// makes a key that no other request has.
    public var originalInteractionID: String { self.parts.originalInteractionID }
    /// Groups interactions that belong together, if the request has such an id.
    public var groupIdentifier: String? { self.parts.groupIdentifier }
    public var user: RequestingUser { self.parts.user }
    /// The device from which the user asks.
    public var device: RequestingDevice { self.parts.device }
    /// The user's language, as a BCP 47 tag such as `en-US`.
    public var locale: String { self.parts.locale }
    /// The IANA name of the user's time zone, such as `Europe/Berlin`.
    package var timeZoneName: String { self.parts.timeZoneName }
    /// The time of this turn; it does not pass while the handler runs.
    public var now: Date { self.parts.now }
    /// The number of this try of the turn: 1, and one more after each transient error.
    public var attempt: Int { self.parts.attempt }
    /// What a scenario wants the service to answer; nil except in workers started with `--scripted`.
    public var script: String? { self.parts.script }

    /// What this interaction follows from, if a handler has started it (R77).
    public var followsFrom: FollowedFrom? { self.parts.followsFrom }

    /// The values that were offered and declined, by parameter.
    package var declinedValues: [String: [JSONValue]] { self.parts.declinedValues }

    /// The follow-ups that can be sent.
    var followUps: FollowUpScope { self.parts.followUps }
    private var keys: IdempotencyKeys { self.parts.keys }
    var host: any TurnHost { self.parts.host }

    /// Makes a context; without keys they are those of a request of its own, named by the interaction.
    package init(
        interactionID: String,
        originalInteractionID: String? = nil,
        groupIdentifier: String?,
        user: RequestingUser,
        device: RequestingDevice,
        locale: String,
        timeZone: String = "UTC",
        now: Date,
        attempt: Int,
        script: String?,
        keys: IdempotencyKeys? = nil,
        declinedValues: [String: [JSONValue]] = [:],
        followsFrom: FollowedFrom? = nil,
        followUps: FollowUpScope = .all,
        host: any TurnHost
    ) {
        self.parts = Parts(
            interactionID: interactionID,
            originalInteractionID: originalInteractionID ?? interactionID,
            groupIdentifier: groupIdentifier,
            user: user,
            device: device,
            locale: locale,
            timeZoneName: timeZone,
            now: now,
            attempt: attempt,
            script: script,
            followsFrom: followsFrom,
            declinedValues: declinedValues,
            followUps: followUps,
            keys: keys ?? .request(originalInteractionID ?? interactionID, deployment: ""),
            host: host
        )
    }

    /// The user's time zone: that of the request or of a later answer, otherwise `interactions.timeZone` (R73).
    public var timeZone: TimeZone { TimeZone(identifier: self.timeZoneName) ?? .gmt }

    /// A text in the user's language, or else in another one: for details and texts that a handler composes itself.
    ///
    /// ```swift
    /// let unit = context.resolve(["en": "nights", "de": "Nächte"])
    /// ```
    public func resolve(_ text: LocalizedText) -> String { text.text(locale: self.locale) ?? text.anyText ?? "" }

    /// The values of a parameter that were offered to the user and declined in this interaction, the oldest first.
    ///
    /// After the user has declined an offer, the resolver is called again, so that it can offer others:
    ///
    /// ```swift
    /// Resolve(\.$exercise) { said, context in
    ///     let others = exercises.filter { !context.declined(\LogSet.$exercise).contains($0) }
    ///     return .disambiguation(with: others)
    /// }
    /// ```
    /// - Parameter path: The parameter.
    /// - Returns: The last 100 at most, without those of more than 1 KiB of JSON.
    public func declined<HandledIntent: Intent, Value: ParameterValue>(
        _ path: any KeyPath<HandledIntent, Parameter<Value>> & Sendable
    ) -> [Value.SingleValue] {
        guard !self.declinedValues.isEmpty else { return [] }
        let description = IntentDescription<HandledIntent>.known()
        guard let index = description.index(of: path) else { return [] }
        let values = self.declinedValues[description.members[index].description.name] ?? []
        return values.compactMap(Value.SingleValue.init(json:))
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

    /// Reads the deployment's stores like ``read(_:_:)``; the journal holds the JSON as it is.
    package func readJSON(
        _ name: String,
        _ body: @escaping @Sendable (any StoreTransaction) throws -> JSONValue
    ) async throws -> JSONValue {
        try await self.host.read(name, body)
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

    /// Keeps a value as an effect of that name, once: what is done is done elsewhere.
    package func effectJSON(_ name: String, _ value: JSONValue) async throws {
        do {
            _ = try await self.host.effect(name) { _ in value }
        } catch is MutedEffectError {
            // The value is known.
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

    /// Does a step of a long task, and keeps its result: the next step begins when it is committed (R74).
    ///
    /// ```swift
    /// let fares = try await context.step("fares") { try await airline.fares(on: day) }
    /// ```
    /// After a crash, a retry or a rebalance, the handler runs again from its beginning, and each committed step returns
    /// its result without running its closure. The closure runs again only if it throws, or if the process ends before
    /// the result is committed, some 10 ms after it; so a call that changes something sends an
    /// ``idempotencyKey(for:ordinal:)``. `handlers.timeout` counts from the last committed step.
    ///
    /// Only in `handle`, at most 100 in a turn, with results of at most 64 KiB of JSON each, and 256 KiB together.
    /// - Parameters:
    ///   - name: Names the step, in at most 256 bytes. Steps of one name are distinguished by the order of their calls,
    ///     so those that run concurrently need different names.
    ///   - body: The step.
    /// - Returns: The closure's result, or the kept one.
    /// - Throws: ``JournaledError`` for whatever the closure throws, and then nothing is kept; `CancellationError` when
    ///   the turn is over, or another process continues it.
    public func step<Value: Codable & Sendable>(
        _ name: String,
        _ body: @Sendable () async throws -> Value
    ) async throws -> Value {
        let json = try await self.host.step(name) { try JournalCoding.encode(try await body()) }
        return try JournalCoding.decode(Value.self, from: json)
    }

    /// Does a step of a long task like ``step(_:_:)->_``.
    ///
    /// The journal holds the JSON as it is.
    package func stepJSON(
        _ name: String,
        _ body: @Sendable () async throws -> JSONValue
    ) async throws -> JSONValue {
        try await self.host.step(name, body)
    }

    /// Whether the interaction was redriven from another one (R48).
    package var isRedriven: Bool { self.originalInteractionID != self.interactionID }

    /// Does a step of a long task without a result, like ``step(_:_:)->_``.
    public func step(_ name: String, _ body: @Sendable () async throws -> Void) async throws {
        _ = try await self.host.step(name) {
            try await body()
            return .null
        }
    }

    /// Tells the user how far the task is, while `handle` is running (R74).
    ///
    /// ```swift
    /// context.report(0.4, ["en": "Comparing fares", "de": "Preise werden verglichen"])
    /// ```
    /// It returns at once. One report a second reaches the user (`handlers.reportEvery`); the others are dropped, as are
    /// those of a turn that has run for less than about 10 ms, those outside of `handle`, and all after the thousandth.
    /// - Parameters:
    ///   - fraction: How much is done, from 0 to 1; nil if that is not known.
    ///   - text: What is being done; of more than 1,024 bytes the rest is cut off.
    public func report(_ fraction: Double? = nil, _ text: LocalizedText? = nil) {
        self.host.report(fraction, text?.text(locale: self.locale))
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
