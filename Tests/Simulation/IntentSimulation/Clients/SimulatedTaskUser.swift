internal import IntentEvents
internal import IntentKit
internal import IntentLab

/// A user's side of a long task and of what follows from it: answers in all ways that a prompt accepts, declines offers,
/// sets the conversation aside for another one, and makes a client's mistakes.
///
/// `@unchecked Sendable`: used by the simulation's thread alone (``Scheduler``).
final class SimulatedTaskUser: @unchecked Sendable {
    /// A member that no rule knows.
    static let mistake = "colour"

    let subject: InteractionID
    let user: UserID
    private let client: Client
    private let script: TaskScript
    /// Whether the user does only what leads to the end.
    private let isPlain: Bool
    private var random: SeededNumbers
    private var asides = 0

    /// Draws what the user wants; one with a given script does only what leads to its end.
    init(subject: InteractionID, user: UserID, client: Client, random: SeededNumbers, script: TaskScript?) {
        self.subject = subject
        self.user = user
        self.client = client
        self.random = random
        self.isPlain = script != nil
        self.script = script ?? TaskScript(&self.random)
    }

    /// Sends the request.
    ///
    /// - Parameters:
    ///   - delay: After that time.
    ///   - aside: The prompt of another conversation that is set aside for this one.
    func begin(after delay: Duration, settingAside aside: String? = nil) {
        let pet = self.isPlain ? "p2" : self.random.pick(["", "Bello", "p1", "of p3", "p9"])
        let day = self.isPlain ? "tomorrow" : self.random.pick(["", "tomorrow", "morgen", "2026-12-24", "some day"])
        var data: JSONObject = [
            "intent": [
                "name": .string(SimulatedTask.intentName),
                "parameters": ["pet": .string(pet), "day": .string(day), "script": .string(self.script.text)],
            ],
            "locale": .string(self.isPlain ? "en-US" : self.random.pick(["en-US", "de-DE"])),
            "timeZone": .string(self.random.pick(["Europe/Berlin", "America/New_York", "Pacific/Auckland"])),
        ]
        if !self.isPlain, self.random.happens(0.3) { data[Self.mistake] = "red" }
        data["setsAside"] = aside.map(JSONValue.string)
        let request = self.client.event(.intentRequested, user: self.user, subject: self.subject, data)
        self.client.send(request, after: delay)
        guard !self.isPlain, self.random.happens(0.15) else { return }
        let cancellation = self.client.event(.interactionCancelled, user: self.user, subject: self.subject, [:])
        self.client.send(cancellation, after: delay + self.random.duration(upTo: .seconds(15)))
    }

    /// Receives an event of the task, or of one that follows from it.
    func receive(_ event: Event) {
        guard event.knownType == .promptIssued, let promptID = event.data["promptId"]?.string else { return }
        if self.isPlain { return self.send(self.helpfulAnswer(to: event.data), to: promptID, of: event) }
        if self.random.happens(0.1) { return }
        if self.asides < 1, event.userID == self.user, self.random.happens(0.2) {
            self.asides += 1
            self.client.beginTask("\(self.subject)a", of: self.user, random: self.random, settingAside: promptID)
        }
        let data = self.random.happens(0.4) ? self.helpfulAnswer(to: event.data) : self.answer(to: event.data)
        self.send(data, to: promptID, of: event)
        if self.random.happens(0.2) { self.send(self.answer(to: event.data), to: promptID, of: event) }
    }

    private func send(_ answer: JSONObject, to promptID: String, of event: Event) {
        var data = answer
        data["promptId"] = .string(promptID)
        if !self.isPlain, self.random.happens(0.1) { data["valeu"] = true }
        if !self.isPlain, self.random.happens(0.2) { data["timeZone"] = "Asia/Tokyo" }
        let answer = self.client.event(.promptAnswered, user: event.userID, data)
        self.client.send(answer, after: self.isPlain ? .zero : self.random.duration(upTo: .seconds(6)))
    }

    /// An answer that resolves what was asked.
    private func helpfulAnswer(to prompt: JSONValue) -> JSONObject {
        switch prompt["kind"]?.string {
        case "disambiguation": ["action": "accept", "choice": 0]
        case "confirmationRequired", "intentConfirmation": ["action": "accept"]
        default: ["action": "accept", "value": prompt["parameter"] == "day" ? "2026-12-24" : "p2"]
        }
    }

    /// What users say: the value, words, a number, a no, or something else.
    private func answer(to prompt: JSONValue) -> JSONObject {
        if self.random.happens(0.2) { return ["action": "decline"] }
        if self.random.happens(0.05) { return ["action": "cancel"] }
        if self.random.happens(0.1) { return ["action": "accept", "corrections": ["day": "in three days"]] }
        let displays = prompt["optionDisplays"]?.array ?? []
        switch prompt["kind"]?.string {
        case "disambiguation":
            let index = self.random.below(max(displays.count, 1))
            let words = displays.indices.contains(index) ? displays[index] : .null
            let said: [JSONValue?] = [
                prompt["options"]?.array?[index], words["subtitle"], words["title"], words["synonyms"]?.array?.first,
                .string("\(index + 1)."), .integer(Int64(index + 1)), "nobody",
            ]
            return ["action": "accept", "value": self.random.pick(said) ?? "nobody"]
        case "confirmationRequired", "intentConfirmation":
            return self.random.pick([["action": "accept"], ["action": "accept", "value": "yes"], ["value": "nein"]])
        default:
            let days: [JSONValue] = ["tomorrow", "heute", "in 3 days", "31 December 2026", "never", 7]
            return ["action": "accept", "value": self.random.pick(days)]
        }
    }
}
