import IntentEvents
import IntentKit

/// What a person types when the conversation waits for them, as the event that it makes.
struct TypedReply {
    /// Reads answers to prompts.
    var answers = TypedAnswer()

    /// Whether somebody has to type something before the conversation goes on, and what can be typed, in words.
    func hint(_ event: Event) -> String? {
        switch (event.knownType, event.data["kind"]?.string) {
        case (.promptIssued, "unlockRequired"): "unlock, or cancel"
        case (.promptIssued, "authenticationRequired"): "sign in, or cancel"
        case (.promptIssued, _): self.answers.hint(event.data)
        case (.intentResponded, _) where event.data["code"] == "handleInApp":
            "the code that the app answers: success, failure, …"
        default: nil
        }
    }

    /// The event that a line makes, its data without the user.
    ///
    /// - Parameters:
    ///   - line: What was typed; `nil` when nothing will be typed any more, which gives up.
    ///   - event: What it replies to.
    ///   - deviceID: The device at which it is typed.
    /// - Returns: Its type and its data.
    /// - Throws: ``TypedAnswer/NotUnderstood`` for what is not worth sending.
    func event(
        _ line: String?,
        to event: Event,
        deviceID: String
    ) throws(TypedAnswer.NotUnderstood) -> (type: EventType, data: JSONObject) {
        if event.knownType == .intentResponded {
            return (.appResponded, ["code": .string(line?.trimming ?? "failure")])
        }
        let line = line ?? "cancel"
        switch (event.data["kind"]?.string, line.trimming.lowercased()) {
        case (_, "cancel"), (_, "stop"): break
        case ("unlockRequired", _): return (.deviceUnlocked, ["device": ["id": .string(deviceID)]])
        case ("authenticationRequired", _): return (.userAuthenticated, [:])
        default: break
        }
        var data = try self.answers.data(line, to: event.data)
        data["promptId"] = event.data["promptId"]
        return (.promptAnswered, data)
    }
}
