/// All that a handler does, as ``IntentHandler/handling`` lists it.
public struct Handling<HandledIntent: Intent>: Sendable {
    let parts: HandlingParts<HandledIntent>

    /// Makes a handling of its parts, including a ``Handle``.
    init(_ parts: HandlingParts<HandledIntent>) { self.parts = parts }
}
