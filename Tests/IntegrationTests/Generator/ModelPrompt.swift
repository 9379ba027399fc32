import IntentKit

/// A prompt that the model expects.
struct ModelPrompt: Hashable, Sendable {
    /// The fate of a prompt.
    enum Fate: String, Sendable {
        /// It waits for its answer.
        case open
        /// It was answered.
        case duplicate
        /// The interaction ended before it was answered.
        case superseded
    }

    var kind: String
    var parameter: String?
    var index: Int?
    var attempt = 0
    /// The options to choose from, or the value to confirm.
    var options: [String] = []
    var fate = Fate.open

    /// Whether the user answers it with words instead of an action.
    var isQuestion: Bool { self.kind != "unlockRequired" && self.kind != "authenticationRequired" }

    /// The prompt in one line, to be compared with ``line(of:)`` of the actual one.
    var line: String {
        let subject = [self.parameter, self.index.map(String.init)].compactMap { $0 }.joined(separator: "/")
        let attempt = self.attempt == 0 ? "Initial" : "Retry\(self.attempt)"
        return "\(self.kind) \(subject) \(attempt) \(self.options)"
    }

    /// The line of an actual prompt.
    static func line(of data: JSONValue) -> String {
        let index = data["index"]?.integer.map { String($0) }
        let subject = [data["parameter"]?.string, index].compactMap { $0 }.joined(separator: "/")
        let isYesOrNo = data["kind"]?.string == "confirmationRequired"
        let options = (isYesOrNo ? data["item"].map { [$0] } : data["options"]?.array) ?? []
        let texts = options.map { $0.string ?? $0.description }
        return "\(data["kind"]?.string ?? "?") \(subject) \(data["attempt"]?.string ?? "?") \(texts)"
    }
}
