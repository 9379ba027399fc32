package import IntentEvents
package import IntentKit

/// The input when the conversation waits for a person, as the event that it produces.
package struct TypedReply {
    let answers: TypedAnswer

    package init(answers: TypedAnswer = TypedAnswer()) { self.answers = answers }

    /// Whether the conversation waits for input, with the possible input in words.
    package func hint(_ event: Event) -> String? {
        switch (event.knownType, event.data["kind"]?.string) {
        case (.promptIssued, "unlockRequired"): self.answers.words.unlock
        case (.promptIssued, "authenticationRequired"): self.answers.words.signIn
        case (.promptIssued, _): self.answers.hint(event.data)
        case (.intentResponded, _) where event.data["code"] == "handleInApp":
            self.answers.words.appCode
        default: nil
        }
    }

    /// The completions of the tab key there.
    package func completion(_ event: Event) -> LineCompletion {
        switch (event.knownType, event.data["kind"]?.string) {
        case (.promptIssued, "unlockRequired"), (.promptIssued, "authenticationRequired"):
            LineCompletion(answers: [
                self.hint(event)?.prefix { $0 != "," }.description ?? "", self.answers.words.cancel,
            ])
        case (.promptIssued, _): self.answers.completion(event.data)
        default: LineCompletion(answers: ["success", "failure"])
        }
    }

    /// Whether the arrow keys may bring the line back, even on another day: values are kept, a yes is typed faster.
    package func isRemembered(_ line: String, at event: Event) -> Bool {
        event.knownType == .promptIssued && TypedAnswer.action(line.trimming) == nil
            && !self.answers.isSensitive(line, at: event.data)
    }

    /// The event of a line, with its data without the user.
    ///
    /// - Parameters:
    ///   - line: The input; `nil` when it has ended, which gives up.
    ///   - event: The event that it replies to.
    ///   - deviceID: The device on which it is typed.
    /// - Returns: The type and the data.
    /// - Throws: ``NotUnderstood`` for input that is not worth sending.
    package func event(
        _ line: String?,
        to event: Event,
        deviceID: String
    ) throws(NotUnderstood) -> (type: EventType, data: JSONObject) {
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
