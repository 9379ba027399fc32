/// Puts the parts of a handling together.
@resultBuilder
public enum HandlingBuilder<HandledIntent: Intent> {
    /// The parts without the type that says whether there is a deed.
    public struct Draft: Sendable {
        /// The parts.
        var parts = HandlingParts<HandledIntent>()
    }

    /// The parts so far.
    public struct Parts<Deed: HandlingDeed>: Sendable {
        /// The parts.
        var draft = Draft()

        /// The parts with one more.
        fileprivate func adding(_ part: some HandlingPart<HandledIntent>) -> Draft {
            var draft = self.draft
            part.add(to: &draft)
            return draft
        }
    }

    /// Takes a part.
    public static func buildExpression<Part: HandlingPart<HandledIntent>>(_ part: Part) -> Part { part }

    /// Begins with a part.
    public static func buildPartialBlock<Part: HandlingPart<HandledIntent>>(first: Part) -> Parts<Part.Deed> {
        Parts(draft: Parts<WithoutHandle>().adding(first))
    }

    /// Goes on with a part that is not the deed.
    public static func buildPartialBlock<Deed: HandlingDeed, Part: HandlingPart<HandledIntent>>(
        accumulated: Parts<Deed>,
        next: Part
    ) -> Parts<Deed> where Part.Deed == WithoutHandle {
        Parts(draft: accumulated.adding(next))
    }

    /// Goes on with the deed.
    public static func buildPartialBlock<Part: HandlingPart<HandledIntent>>(
        accumulated: Parts<WithoutHandle>,
        next: Part
    ) -> Parts<WithHandle> where Part.Deed == WithHandle {
        Parts(draft: accumulated.adding(next))
    }

    /// There is a deed already.
    @available(*, unavailable, message: "a handler has one Handle { intent, context in … }")
    public static func buildPartialBlock<Part: HandlingPart<HandledIntent>>(
        accumulated: Parts<WithHandle>,
        next: Part
    ) -> Parts<WithHandle> where Part.Deed == WithHandle {
        Parts(draft: accumulated.adding(next))
    }

    /// Ends.
    public static func buildFinalResult(_ parts: Parts<WithHandle>) -> Handling<HandledIntent> {
        Handling(parts.draft.parts)
    }

    /// There is no deed.
    @available(*, unavailable, message: "a handler has to have a Handle { intent, context in … }")
    public static func buildFinalResult(_ parts: Parts<WithoutHandle>) -> Handling<HandledIntent> {
        Handling(parts.draft.parts)
    }

    /// There is nothing.
    @available(*, unavailable, message: "a handler has to have a Handle { intent, context in … }")
    public static func buildBlock() -> Parts<WithHandle> { Parts() }
}
