import IntentEvents
import IntentKit
import IntentOperations
import IntentRuntime

/// A conversation for people: events in words.
struct ConversationText {
    /// Masks the intent's sensitive parameters (R40).
    let masking: Masking
    /// The intent of the conversation, by which values are put in words; nil for one that is not known here.
    var registration: IntentRegistration?
    /// The user's language.
    var locale = "en"
    var style = TextStyle.output

    /// The text of an event of `responses`.
    func lines(_ event: Event) -> [String] {
        let lines: [String] =
            switch event.knownType {
            case .promptIssued: self.prompt(event.data)
            case .intentResponded: self.response(event.data)
            case .statusUpdated where event.data["started"] != nil:
                (event.data["started"]?.array ?? [])
                    .map { "  \(SafeText.line($0["name"]?.string ?? "")): \($0["state"]?.string ?? "")" }
            case .userNotified: self.notification(event.data)
            case .eventRejected:
                [
                    self.style.bad("✗ \(event.data["reason"]?.string ?? "rejected")")
                        + ": \(SafeText.line(event.data["detail"]?.string ?? ""))"
                ]
            default: [event.type]
            }
        return lines + self.warnings(event.data)
    }

    /// What the client probably did not mean (R79).
    private func warnings(_ data: JSONValue) -> [String] {
        (data["warnings"]?.array ?? []).compactMap { $0["detail"]?.string }
            .map { self.style.open("  warning: \(SafeText.line($0))") }
    }

    /// The words that were read as values since an earlier event, where the event does not show the values itself.
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - earlier: What the earlier event had understood.
    /// - Returns: A line for each parameter.
    func understood(_ event: Event, after earlier: JSONValue?) -> [String] {
        guard event.knownType == .promptIssued, event.data["kind"] != "intentConfirmation" else { return [] }
        return (event.data["understood"]?.object ?? [:]).filter { earlier?[$0.key] != $0.value }
            .map { name, understood in
                let words = (understood.array ?? [understood]).compactMap { $0["display"]?["title"]?.string }
                let text = words.joined(separator: ", ")
                return "  \(name): \(self.masking.contains(name, of: nil) ? Masking.mask : SafeText.line(text))"
            }
    }

    private func prompt(_ data: JSONValue) -> [String] {
        var question = SafeText.line(data["dialog"]?.string ?? "?")
        if let name = data["parameter"]?.string, self.masking.contains(name, of: nil), data["kind"] != "needsValue" {
            // Text about a value may contain the value.
            question = "\(name)?"
            // The reason is the handler's own name for what is wrong, not what the user said.
            if let reason = data["reason"]?["name"]?.string { question += " (\(SafeText.line(reason)))" }
        }
        var lines = [self.style.strong(data["front"] == true ? "↩ \(question)" : question)]
        let displays = OptionDisplay.all(in: data)
        for (index, option) in (data["options"]?.array ?? []).enumerated() {
            let text = displays?[index].text ?? self.text(option, of: data["parameter"]?.string)
            lines.append("  \(index + 1)  \(SafeText.line(text))")
        }
        if data["kind"]?.string == "intentConfirmation" {
            for (name, value) in (data["response"]?.object ?? [:]).sorted(by: { $0.key < $1.key }) {
                lines.append("  \(name): \(self.masked(name, value))")
            }
        }
        return lines
    }

    /// A value that is offered, in words; events of earlier versions have none.
    private func text(_ option: JSONValue, of name: String?) -> String {
        let parameter = self.registration?.parameters.first { $0.name == name }
        guard let parameter, option.string != nil || option.bool != nil else { return AnswerWords.words(option) }
        let offer = PromptOffer([], of: parameter, self.registration?.constraints[parameter.name])
        return offer.words(option, locale: self.locale)
    }

    private func response(_ data: JSONValue) -> [String] {
        let status = data["status"]?.string ?? ""
        let code = data["code"]?.string ?? status
        guard data["terminal"]?.bool ?? false else {
            let progress = data["progress"]
            let percent = progress?["fraction"]?.number.map { "\(Int((min(max($0, 0), 1) * 100).rounded())) %" }
            let said = self.masking.isEmpty ? progress?["text"]?.string.map(SafeText.line) : nil
            let heading = ["…", code, percent, said].compactMap { $0 }.joined(separator: " ")
            return [self.style.open(heading)] + self.details(data)
        }
        let reason = data["endReason"]?.string ?? ""
        let text = code + (reason == "nominal" ? "" : " (\(reason))")
        let heading =
            switch status {
            case "success": self.style.good("✓ \(text)")
            case "deferredToApplication": self.style.open("→ \(text)")
            default: self.style.bad("✗ \(text)")
            }
        var lines = [heading] + self.details(data)
        if let info = data["userActivity"]?["userInfo"]?.object, !info.isEmpty {
            lines.append("  for the app: \(SafeText.line(JSONValue.object(info).description))")
        }
        if status == "failure" { lines += self.effects(data) }
        for one in data["started"]?.array ?? [] {
            let parts = [one["intent"]?.string ?? "notification", one["user"]?.string.map { "for \($0)" }]
            let at = one["at"]?.string.map { "at \($0)" }
            let text = (parts + [at, one["interaction"]?.string]).compactMap(\.self).joined(separator: "  ")
            lines.append("  then \(SafeText.line(text))")
        }
        if let next = data["next"]?.string { lines.append("  ↩ back to \(SafeText.line(next))") }
        return lines
    }

    /// The words and the details of a response.
    private func details(_ data: JSONValue) -> [String] {
        var lines: [String] = []
        if let said = data["dialog"]?.string, self.masking.isEmpty { lines.append(SafeText.line(said)) }
        return lines + self.values(data["response"])
    }

    private func values(_ values: JSONValue?) -> [String] {
        (values?.object ?? [:]).sorted { $0.key < $1.key }
            .map { "  \(SafeText.line($0.key)): \(self.masked($0.key, $0.value))" }
    }

    private func notification(_ data: JSONValue) -> [String] {
        // The words may contain a sensitive value.
        let words = self.masking.isEmpty ? data["dialog"]?.string : data["name"]?.string
        return [self.style.strong(SafeText.line(words ?? ""))]
            + self.values(data["details"])
    }

    /// What was done although the interaction failed.
    private func effects(_ data: JSONValue) -> [String] {
        var lines: [String] = []
        let names = (data["effects"]?.array ?? []).map(AnswerWords.words)
        if !names.isEmpty {
            let shown = self.masking.isEmpty ? SafeText.line(names.joined(separator: ", ")) : Masking.mask
            lines.append("  effects made despite the failure: \(shown)")
        }
        if data["effectsIncomplete"] == true {
            lines.append("  more may have been done than is known")
        }
        return lines
    }

    private func masked(_ name: String, _ value: JSONValue) -> String {
        self.masking.contains(name, of: nil) ? Masking.mask : SafeText.line(AnswerWords.words(value))
    }
}
