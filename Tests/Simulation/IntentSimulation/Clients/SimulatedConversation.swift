internal import IntentEvents
internal import IntentKit
internal import IntentLab
internal import IntentRuntime

/// A user's side of one interaction: asks, answers, changes their mind, sends things twice and too late.
///
/// `@unchecked Sendable`: used by the simulation's thread alone (``Scheduler``).
final class SimulatedConversation: @unchecked Sendable {
    let subject: InteractionID
    let user: UserID
    private let client: Client
    private let number: Int
    private let script: HandlerScript
    private var random: SeededNumbers
    /// The random numbers of impostors.
    private var others: SeededNumbers
    private var prompts: [String] = []
    private var corrections = 0

    /// Draws what the user wants and how patient they are.
    init(number: Int, user: UserID, client: Client, random: SeededNumbers, others: SeededNumbers) {
        self.subject = "i\(number)"
        self.number = number
        self.user = user
        self.client = client
        self.random = random
        self.others = others
        self.script = HandlerScript(&self.random)
    }

    /// Sends the request, perhaps twice or to the wrong partition, and plans the unrequested events.
    func begin() {
        let name = self.random.pick(["", "?n", "!n", "x", "n", "n", "n"])
        let isLocked = self.random.happens(0.1)
        var device: JSONObject = ["id": "d-\(self.user)"]
        if isLocked { device["locked"] = true }
        var data: JSONObject = [
            "intent": [
                "name": .string(self.random.happens(0.03) ? "NobodysIntent" : SimulatedIntent.intentName),
                "parameters": [
                    "name": .string(name), "item": .string(self.random.pick(["", "i", "x"])),
                    "script": .string(self.script.text),
                ],
            ],
            "device": .object(device),
        ]
        if self.random.happens(0.03) { data["expiresAt"] = .string("2026-11-21T12:00:06.000Z") }
        // Drawn from a copy, so that seeds keep their stories. Often it is another user's, or not open.
        var copy = self.others
        if self.client.setsAside, self.number > 0, copy.happens(0.4) {
            data["setsAside"] = .string("i\(self.number - 1)/\(copy.pick(["r", "r", "c"]))/1")
        }
        let request = self.client.event(.intentRequested, user: self.user, subject: self.subject, data)
        let start = Duration.milliseconds(Int64.random(in: 0...7_000, using: &self.random))
        let isAstray = self.random.happens(0.1)
        self.client.send(request, after: start, isAstray: isAstray)
        if self.random.happens(0.25) {
            let delay = start + self.random.duration(upTo: .seconds(12))
            self.client.send(request, after: delay, isAstray: self.random.happens(0.1))
        }
        if self.client.twin(of: self.user) != nil, self.others.happens(0.3) {
            // Another request under the same id: the second one is refused (R8).
            data["locale"] = "de-DE"
            let other = self.client.event(.intentRequested, user: self.user, subject: self.subject, data)
            self.client.send(other, after: start + self.others.duration(upTo: .seconds(12)))
        }
        if self.random.happens(0.15) {
            let cancellation = self.client.event(
                .interactionCancelled,
                user: self.user,
                subject: self.subject,
                ["reason": "changed my mind"]
            )
            self.client.send(cancellation, after: start + self.random.duration(upTo: .seconds(15)))
        }
        if isLocked || self.random.happens(0.05) {
            let unlocked = self.client.event(.deviceUnlocked, user: self.user, ["device": ["id": "d-\(self.user)"]])
            self.client.send(unlocked, after: start + self.random.duration(upTo: .seconds(8)))
        }
    }

    /// Receives an event of the interaction.
    func receive(_ event: Event) {
        switch event.knownType {
        case .promptIssued:
            guard let id = event.data["promptId"]?.string, let kind = event.data["kind"]?.string else { return }
            self.answer(id, kind: kind)
            self.prompts.append(id)
        case .intentResponded where event.data["code"] == "handleInApp" && event.data["terminal"] == false:
            guard !self.random.happens(0.3) else { return }
            let response = self.client.event(
                .appResponded,
                user: self.user,
                subject: self.subject,
                ["code": .string(self.random.pick(["success", "failure"]))]
            )
            self.client.send(response, after: self.random.duration(upTo: .seconds(12)))
            if self.random.happens(0.2) { self.client.send(response, after: self.random.duration(upTo: .seconds(12))) }
        default: break
        }
    }

    private func answer(_ promptID: String, kind: String) {
        if self.random.happens(0.1) { return }
        let delay = self.random.duration(upTo: .seconds(self.random.happens(0.15) ? 30 : 4))
        self.send(self.data(for: kind), to: promptID, after: delay)
        // The same answer from a second device, or another one.
        if self.random.happens(0.3) {
            self.send(self.data(for: kind), to: promptID, after: self.random.duration(upTo: .seconds(10)))
        }
        if let old = self.prompts.last, self.random.happens(0.3) {
            self.send(["value": "late"], to: old, after: self.random.duration(upTo: .seconds(5)))
        }
        self.answerForAnother(promptID)
        if self.random.happens(0.05) {
            self.send(["value": "theirs"], to: promptID, as: "stranger", after: self.random.duration(upTo: .seconds(5)))
        }
    }

    /// A user with a similar name answers, under that name or, with a key of their own, under the user's (R1).
    private func answerForAnother(_ promptID: String) {
        guard let twin = self.client.twin(of: self.user), self.others.happens(0.5) else { return }
        let isForged = self.others.happens(0.3)
        let event = self.client.event(
            .promptAnswered,
            user: isForged ? self.user : twin,
            ["promptId": .string(promptID), "value": "theirs", "action": "accept"]
        )
        self.client.send(event, after: self.others.duration(upTo: .seconds(4)), key: twin)
    }

    private func data(for kind: String) -> JSONObject {
        switch self.random.pick([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]) {
        case 0: return ["action": "cancel"]
        case 1, 2: return ["action": "decline"]
        case 3 where self.corrections < 2:
            self.corrections += 1
            return ["action": "accept", "corrections": ["name": "corrected"]]
        default: break
        }
        switch kind {
        case "needsValue", "unsupported": return ["value": .string(self.random.pick(["v", "v", "?v", "x"]))]
        case "disambiguation": return ["choice": .integer(self.random.pick([0, 1, 1, 5]))]
        default: return [:]
        }
    }

    private func send(
        _ answer: JSONObject,
        to promptID: String,
        as user: UserID? = nil,
        after delay: Duration
    ) {
        var data = answer
        data["promptId"] = .string(promptID)
        if data["action"] == nil { data["action"] = "accept" }
        let event = self.client.event(.promptAnswered, user: user ?? self.user, data)
        self.client.send(event, after: delay)
        if self.random.happens(0.15) { self.client.send(event, after: delay + self.random.duration(upTo: .seconds(5))) }
    }
}
