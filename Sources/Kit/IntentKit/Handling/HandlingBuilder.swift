/// Combines the parts of a handling.
@resultBuilder
public enum HandlingBuilder<HandledIntent: Intent> {
    /// The parts so far.
    public struct Parts<Presence: HandlePresence>: Sendable {
        var parts = HandlingParts<HandledIntent>()

        fileprivate func adding<Next, Both>(_ part: HandlingPart<HandledIntent, Next>) -> Parts<Both> {
            var parts = self.parts
            part.add(&parts)
            return Parts<Both>(parts: parts)
        }
    }

    public static func buildExpression<Presence>(
        _ part: HandlingPart<HandledIntent, Presence>
    ) -> HandlingPart<HandledIntent, Presence> { part }

    public static func buildPartialBlock<Presence>(
        first: HandlingPart<HandledIntent, Presence>
    ) -> Parts<Presence> { Parts<WithoutHandle>().adding(first) }

    /// Continues with a part that is not the ``Handle``.
    public static func buildPartialBlock<Presence>(
        accumulated: Parts<Presence>,
        next: HandlingPart<HandledIntent, WithoutHandle>
    ) -> Parts<Presence> { accumulated.adding(next) }

    /// Continues with the ``Handle``.
    public static func buildPartialBlock(
        accumulated: Parts<WithoutHandle>,
        next: HandlingPart<HandledIntent, WithHandle>
    ) -> Parts<WithHandle> { accumulated.adding(next) }

    /// There is a ``Handle`` already.
    @available(*, unavailable, message: "a handler has one Handle { intent, context in … }")
    public static func buildPartialBlock(
        accumulated: Parts<WithHandle>,
        next: HandlingPart<HandledIntent, WithHandle>
    ) -> Parts<WithHandle> { accumulated.adding(next) }

    public static func buildFinalResult(_ parts: Parts<WithHandle>) -> Handling<HandledIntent> {
        Handling(parts.parts)
    }

    /// There is no ``Handle``.
    @available(*, unavailable, message: "a handler has to have a Handle { intent, context in … }")
    public static func buildFinalResult(_ parts: Parts<WithoutHandle>) -> Handling<HandledIntent> {
        Handling(parts.parts)
    }

    /// There are no parts.
    @available(*, unavailable, message: "a handler has to have a Handle { intent, context in … }")
    public static func buildBlock() -> Parts<WithHandle> { Parts() }
}

/// All that a handler does, as ``IntentHandler/handling`` lists it.
public struct Handling<HandledIntent: Intent>: Sendable {
    let parts: HandlingParts<HandledIntent>

    /// Makes a handling of its parts, including a ``Handle``.
    init(_ parts: HandlingParts<HandledIntent>) { self.parts = parts }
}
