/// All that a handler does, as ``IntentHandler/handling`` lists it.
public struct Handling<HandledIntent: Intent>: Sendable {
    /// The parts.
    let parts: HandlingParts<HandledIntent>

    /// What is done with the parts; there is a deed among them.
    init(_ parts: HandlingParts<HandledIntent>) { self.parts = parts }
}
