import IntentEvents
import IntentKit

/// What a person types when the conversation waits for them, as the event that it makes.
struct TypedReply {
    /// Reads answers to prompts.
    var answers = TypedAnswer()

    /// Whether somebody has to type something before the conversation goes on, and what can be typed, in words.
    func hint(_ event: Event) -> String? {
        switch (event.knownType, event.data["kind"]?.string) {
        case (.promptIssued, "unlockRequired"): self.answers.words.unlock
        case (.promptIssued, "authenticationRequired"): self.answers.words.signIn
        case (.promptIssued, _): self.answers.hint(event.data)
        case (.intentResponded, _) where event.data["code"] == "handleInApp":
            self.answers.words.appCode
        default: nil
        }
    }

    /// What the tab key offers there.
    func completion(_ event: Event) -> LineCompletion {
        switch (event.knownType, event.data["kind"]?.string) {
        case (.promptIssued, "unlockRequired"), (.promptIssued, "authenticationRequired"):
            LineCompletion(answers: [
                self.hint(event)?.prefix { $0 != "," }.description ?? "", self.answers.words.cancel,
            ])
        case (.promptIssued, _): self.answers.completion(event.data)
        default: LineCompletion(answers: ["success", "failure"])
        }
    }

    /// Whether the line may be had again with the arrow keys, another day too: values are, a yes is typed sooner.
    func isRemembered(_ line: String, at event: Event) -> Bool {
        event.knownType == .promptIssued && TypedAnswer.action(line.trimming) == nil
            && !self.answers.isSensitive(line, at: event.data)
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
        switch (event.data["kind"]?.string, TypedAnswer.action(line.trimming)) {
        case (_, "cancel"): break
        case ("unlockRequired", _): return (.deviceUnlocked, ["device": ["id": .string(deviceID)]])
        case ("authenticationRequired", _): return (.userAuthenticated, [:])
        default: break
        }
        var data = try self.answers.data(line, to: event.data)
        data["promptId"] = event.data["promptId"]
        return (.promptAnswered, data)
    }
}
