/// Combines the parts of a handling.
@resultBuilder
public enum HandlingBuilder<HandledIntent: Intent> {
    /// The parts without the type that says whether there is a ``Handle``.
    public struct Draft: Sendable {
        /// The parts.
        var parts = HandlingParts<HandledIntent>()
    }

    /// The parts so far.
    public struct Parts<Presence: HandlePresence>: Sendable {
        /// The parts.
        var draft = Draft()

        /// The parts with one more.
        fileprivate func adding(_ part: some HandlingPart<HandledIntent>) -> Draft {
            var draft = self.draft
            part.add(to: &draft)
            return draft
        }
    }

    /// Accepts a part.
    public static func buildExpression<Part: HandlingPart<HandledIntent>>(_ part: Part) -> Part { part }

    /// Starts with a part.
    public static func buildPartialBlock<Part: HandlingPart<HandledIntent>>(first: Part) -> Parts<Part.Presence> {
        Parts(draft: Parts<WithoutHandle>().adding(first))
    }

    /// Continues with a part that is not the ``Handle``.
    public static func buildPartialBlock<Presence: HandlePresence, Part: HandlingPart<HandledIntent>>(
        accumulated: Parts<Presence>,
        next: Part
    ) -> Parts<Presence> where Part.Presence == WithoutHandle {
        Parts(draft: accumulated.adding(next))
    }

    /// Continues with the ``Handle``.
    public static func buildPartialBlock<Part: HandlingPart<HandledIntent>>(
        accumulated: Parts<WithoutHandle>,
        next: Part
    ) -> Parts<WithHandle> where Part.Presence == WithHandle {
        Parts(draft: accumulated.adding(next))
    }

    /// There is a ``Handle`` already.
    @available(*, unavailable, message: "a handler has one Handle { intent, context in … }")
    public static func buildPartialBlock<Part: HandlingPart<HandledIntent>>(
        accumulated: Parts<WithHandle>,
        next: Part
    ) -> Parts<WithHandle> where Part.Presence == WithHandle {
        Parts(draft: accumulated.adding(next))
    }

    /// Completes the handling.
    public static func buildFinalResult(_ parts: Parts<WithHandle>) -> Handling<HandledIntent> {
        Handling(parts.draft.parts)
    }

    /// There is no ``Handle``.
    @available(*, unavailable, message: "a handler has to have a Handle { intent, context in … }")
    public static func buildFinalResult(_ parts: Parts<WithoutHandle>) -> Handling<HandledIntent> {
        Handling(parts.draft.parts)
    }

    /// There are no parts.
    @available(*, unavailable, message: "a handler has to have a Handle { intent, context in … }")
    public static func buildBlock() -> Parts<WithHandle> { Parts() }
}
