public import Foundation

/// Undoes an effect of ``Handle`` or ``AppResponded`` (R75), by the effect's name.
///
/// ```swift
/// Undo("log") { intent, context, store in
///     try store.execute("DELETE FROM sets WHERE user_id = $1", [.string(context.user.id)])
/// }
/// Undo(
///     "flight",
///     calling: { (flight: Booking, intent, context) in
///         try await airline.cancel(flight.id, key: context.idempotencyKey(for: "undo flight"))
///     },
///     then: { (receipt: Receipt, flight: Booking, intent, context, store) in
///         try store.execute("DELETE FROM flights WHERE id = $1", [.string(flight.id)])
///     }
/// )
/// ```
/// When an interaction ends in `handle` without success (with a failure code, an error, a timeout, or cancelled), the
/// effects that have such a part are undone, the last one first, each once; then the user gets the response, which says
/// what was undone. The part runs in a turn of its own, maybe in another process: it knows the effect by its recorded
/// result.
///
/// With `within`, an effect of an interaction that has succeeded can be undone for that long, when the user asks for it.
///
/// Where the world has moved on, throw an ``UndoRefusal``. A ``TransientError`` is tried again like ``Handle``; any other
/// error leaves the effect as it is, and the response names it in `undoFailed`.
///
/// It needs `formats.write: 2`.
public final class Undo<HandledIntent: Intent>: HandlingPart<HandledIntent, WithoutHandle> {
    /// Undoes an effect whose result is needed for it.
    ///
    /// - Parameters:
    ///   - effect: The effect's name.
    ///   - within: For how long the effect can be undone after a success; nil to undo it only without one.
    ///   - body: Undoes it, in the transaction that records that; given the effect's result.
    public init<Result: Decodable & Sendable>(
        _ effect: String,
        within: Duration? = nil,
        _ body: @escaping @Sendable (Result, HandledIntent, UndoContext, any StoreTransaction) throws -> Void
    ) {
        let undo: UndoPart<HandledIntent>.Body = { _, result, intent, context, store in
            try body(JournalCoding.decode(Result.self, from: result), intent, context, store)
        }
        super.init { $0.undos.append(UndoPart(effect: effect, within: within, call: nil, body: undo)) }
    }

    /// Undoes an effect.
    ///
    /// - Parameters:
    ///   - effect: The effect's name.
    ///   - within: For how long the effect can be undone after a success; nil to undo it only without one.
    ///   - body: Undoes it, in the transaction that records that.
    public init(
        _ effect: String,
        within: Duration? = nil,
        _ body: @escaping @Sendable (HandledIntent, UndoContext, any StoreTransaction) throws -> Void
    ) {
        let undo: UndoPart<HandledIntent>.Body = { _, _, intent, context, store in try body(intent, context, store) }
        super.init { $0.undos.append(UndoPart(effect: effect, within: within, call: nil, body: undo)) }
    }

    /// Undoes an effect with a call of the outside world, and then in the store.
    ///
    /// - Parameters:
    ///   - effect: The effect's name.
    ///   - within: For how long the effect can be undone after a success; nil to undo it only without one.
    ///   - call: Calls the outside world before the transaction, given the effect's result. It may be repeated after a
    ///     crash, so it sends an ``UndoContext/idempotencyKey(for:ordinal:)``.
    ///   - body: Undoes it, in the transaction that records that; given the call's and the effect's result.
    public init<Result: Decodable & Sendable, Answer: Codable & Sendable>(
        _ effect: String,
        within: Duration? = nil,
        calling call: @escaping @Sendable (Result, HandledIntent, UndoContext) async throws -> Answer,
        then body: @escaping @Sendable (Answer, Result, HandledIntent, UndoContext, any StoreTransaction) throws -> Void
    ) {
        let calling: UndoPart<HandledIntent>.Call = { result, intent, context in
            try JournalCoding.encode(await call(JournalCoding.decode(Result.self, from: result), intent, context))
        }
        let undo: UndoPart<HandledIntent>.Body = { answer, result, intent, context, store in
            try body(
                JournalCoding.decode(Answer.self, from: answer),
                JournalCoding.decode(Result.self, from: result),
                intent,
                context,
                store
            )
        }
        super.init { $0.undos.append(UndoPart(effect: effect, within: within, call: calling, body: undo)) }
    }

    /// Undoes an effect with a call of the outside world alone.
    ///
    /// - Parameters:
    ///   - effect: The effect's name.
    ///   - within: For how long the effect can be undone after a success; nil to undo it only without one.
    ///   - call: Calls the outside world, given the effect's result. It may be repeated after a crash, so it sends an
    ///     ``UndoContext/idempotencyKey(for:ordinal:)``.
    public init<Result: Decodable & Sendable>(
        _ effect: String,
        within: Duration? = nil,
        calling call: @escaping @Sendable (Result, HandledIntent, UndoContext) async throws -> Void
    ) {
        let calling: UndoPart<HandledIntent>.Call = { result, intent, context in
            try await call(JournalCoding.decode(Result.self, from: result), intent, context)
            return .null
        }
        let undo: UndoPart<HandledIntent>.Body = { _, _, _, _, _ in }
        super.init { $0.undos.append(UndoPart(effect: effect, within: within, call: calling, body: undo)) }
    }
}

/// Thrown by an ``Undo`` when the effect cannot be undone any more: it stays, and the response says why.
public struct UndoRefusal: Error, Hashable, Sendable, CustomStringConvertible {
    /// Why, for the user.
    public var reason: LocalizedText

    public init(_ reason: LocalizedText) { self.reason = reason }

    /// The reason, in English where there is one.
    public var description: String { self.reason.anyText ?? "" }
}

/// What an ``Undo`` may use: nothing that reads, since the transaction that undoes may run twice.
public struct UndoContext: Sendable {
    private let context: TurnContext

    init(_ context: TurnContext) { self.context = context }

    /// The id of the interaction that undoes: that of the effect, or the one in which the user asks for it.
    public var interactionID: String { self.context.interactionID }
    public var user: RequestingUser { self.context.user }
    /// The user's language, as a BCP 47 tag such as `en-US`.
    public var locale: String { self.context.locale }
    /// The time of the turn that undoes.
    public var now: Date { self.context.now }
    /// The user's time zone.
    public var timeZone: TimeZone { self.context.timeZone }

    /// A text in the user's language, or else in another one.
    public func resolve(_ text: LocalizedText) -> String { self.context.resolve(text) }

    /// A key by which a service recognises a repeated call; the same in each try of this undo (R30).
    ///
    /// - Parameters:
    ///   - name: What is called; other names have other keys.
    ///   - ordinal: Distinguishes several calls of one name.
    /// - Returns: As ``TurnContext/idempotencyKey(for:ordinal:)``; use another name than that of the effect's own call.
    public func idempotencyKey(for name: String, ordinal: Int = 0) -> String {
        self.context.idempotencyKey(for: name, ordinal: ordinal)
    }
}

/// A part ``Undo``, without its types.
struct UndoPart<HandledIntent: Intent>: Sendable {
    typealias Call = @Sendable (_ result: JSONValue, HandledIntent, UndoContext) async throws -> JSONValue
    typealias Body =
        @Sendable (_ answer: JSONValue, _ result: JSONValue, HandledIntent, UndoContext, any StoreTransaction) throws ->
        Void

    let effect: String
    /// For how long the effect can be undone after a success; nil for never.
    let within: Duration?
    /// Calls the outside world before the transaction.
    let call: Call?
    /// Undoes it, given the call's answer and the effect's result.
    let body: Body
}

/// How an effect is undone, without the intent's type.
package struct EffectUndo: Sendable {
    /// What a call of the outside world came to.
    package enum Answer: Hashable, Sendable {
        case called(JSONValue)
        /// The effect cannot be undone any more; the reason is in the user's language.
        case refused(String)
    }

    /// For how long the effect can be undone after a success; nil for never.
    package var within: Duration?
    /// Calls the outside world before the transaction, and journals that; nil when nothing is called.
    package var call: (@Sendable (_ result: JSONValue, IntentSnapshot, TurnContext) async throws -> Answer)?

    private let body: @Sendable (JSONValue, JSONValue, IntentSnapshot, UndoContext, any StoreTransaction) throws -> Void

    /// Declares an undo that is nothing but a call.
    package init(
        within: Duration?,
        call: @escaping @Sendable (_ result: JSONValue, IntentSnapshot, TurnContext) async throws -> Answer
    ) {
        self.within = within
        self.call = call
        self.body = { _, _, _, _, _ in }
    }

    /// Erases the intent's type.
    init<HandledIntent: Intent>(_ part: UndoPart<HandledIntent>, _ intent: IntentDescription<HandledIntent>) {
        self.within = part.within
        self.body = { answer, result, snapshot, context, store in
            try part.body(answer, result, intent.intent(snapshot.parameters), context, store)
        }
        guard let call = part.call else { return }
        self.call = { result, snapshot, context in
            let answer = try await context.runJSON("undo \(part.effect)") {
                do {
                    return ["value": try await call(result, intent.intent(snapshot.parameters), UndoContext(context))]
                } catch let refusal as UndoRefusal {
                    return ["refused": .string(context.resolve(refusal.reason))]
                }
            }
            return answer["refused"]?.string.map(Answer.refused) ?? .called(answer["value"] ?? .null)
        }
    }

    /// Undoes the effect in the store.
    ///
    /// - Parameters:
    ///   - answer: The answer of the call; null without one.
    ///   - result: The recorded result of the effect.
    ///   - intent: The intent whose effect it is.
    ///   - context: The context of the turn that undoes.
    ///   - store: The transaction.
    /// - Throws: ``RefusedUndoError`` when it cannot be undone any more; what the part throws.
    package func undo(
        _ answer: JSONValue,
        _ result: JSONValue,
        _ intent: IntentSnapshot,
        _ context: TurnContext,
        _ store: any StoreTransaction
    ) throws {
        do {
            try self.body(answer, result, intent, UndoContext(context), store)
        } catch let refusal as UndoRefusal {
            throw RefusedUndoError(reason: context.resolve(refusal.reason))
        }
    }
}

/// An effect cannot be undone any more.
package struct RefusedUndoError: Error, Hashable, Sendable {
    /// Why, in the user's language.
    package var reason: String

    package init(reason: String) { self.reason = reason }
}
