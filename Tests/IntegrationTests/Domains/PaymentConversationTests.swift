import IntentEvents
import IntentKit
import IntentLab
import IntentRuntime
import IntentScenarios
import SampleApps
import SiriKitIntents
import Testing

/// Payments through all stages, with stores that change meanwhile.
@Suite struct PaymentConversationTests {
    private static let payment: JSONObject = [
        "payee": "Diana", "currencyAmount": ["amount": "20", "currencyCode": "EUR"],
    ]

    /// Asks for the payment, and leaves the rest to the body.
    private static func pay(
        _ parameters: JSONObject = Self.payment,
        device: JSONValue = ["id": "phone", "locked": false],
        _ body: @Sendable (Pipeline, Conversation) async throws -> Void
    ) async throws {
        let extensions = [PaymentsExtension.make()]
        try await Pipeline.run(on: .memory, .init(extensions: extensions, partitions: 1)) { pipeline in
            try await pipeline.ledger.addDemoData(of: extensions, for: ["anna"], run: "test")
            let conversation = pipeline.client.open(id: "payment", userID: "anna")
            defer { conversation.close() }
            let intent: JSONValue = ["name": "INSendPaymentIntent", "parameters": .object(parameters)]
            let request: JSONValue = ["intent": intent, "user": ["id": "anna"], "device": device]
            try await conversation.send([conversation.makeEvent("intent.requested", data: request)])
            try await body(pipeline, conversation)
        }
    }

    private static func next(_ conversation: Conversation) async throws -> JSONValue {
        try await conversation.next().data
    }

    private static func sayYes(to prompt: JSONValue, _ conversation: Conversation) async throws {
        try await Self.answer(prompt, ["action": "accept"], conversation)
    }

    private static func answer(
        _ prompt: JSONValue,
        _ answer: JSONObject,
        _ conversation: Conversation
    ) async throws {
        var data = answer
        data["user"] = ["id": "anna"]
        data["promptId"] = prompt["promptId"]
        try await conversation.send([conversation.makeEvent("prompt.answered", data: .object(data))])
    }

    /// Sets Anna's balance, as if something else had been paid.
    private static func setBalance(_ cents: Int64, _ pipeline: Pipeline) async throws {
        let key = EffectKey(request: "elsewhere", name: "balance", ordinal: Int(cents))
        _ = try await pipeline.ledger.perform(key) { store in
            try UnicornPay.setBalance(Money(minorUnits: cents, currencyCode: "EUR"), of: "anna", in: store)
            return .null
        }
    }

    @Test("behaviours 12, 13 and 14: one parameter at a time, each asked for until it is settled")
    func asksForParametersOneAtATime() async throws {
        try await Self.pay([:]) { _, conversation in
            let answers: [(kind: String, parameter: String, answer: JSONObject)] = [
                ("needsValue", "payee", ["value": "Jeff"]),
                ("disambiguation", "payee", ["choice": 1]),
                ("needsValue", "currencyAmount", ["value": ["amount": "20", "currencyCode": "CHF"]]),
                ("unsupported", "currencyAmount", ["value": ["amount": "20", "currencyCode": "EUR"]]),
            ]
            for expected in answers {
                let prompt = try await Self.next(conversation)
                #expect(prompt["kind"] == .string(expected.kind))
                #expect(prompt["parameter"] == .string(expected.parameter))
                try await Self.answer(prompt, expected.answer, conversation)
            }
            let last = try await Self.next(conversation)
            #expect(last["kind"] == "intentConfirmation")
            #expect(last["response"]?["payee"]?["identifier"] == "jeff-mane")
        }
    }

    @Test("R29, behaviours 35 and 46: asked again when what was shown has changed, then paid")
    func asksAgainWhenShownValuesChange() async throws {
        try await Self.pay { pipeline, conversation in
            let first = try await Self.next(conversation)
            #expect(first["kind"] == "intentConfirmation")
            #expect(first["response"]?["balanceAfter"]?["amount"] == "230.00")
            try await Self.setBalance(10_000, pipeline)
            try await Self.sayYes(to: first, conversation)
            let second = try await Self.next(conversation)
            #expect(second["kind"] == "intentConfirmation")
            #expect(second["response"]?["balanceAfter"]?["amount"] == "80.00")
            try await Self.sayYes(to: second, conversation)
            let end = try await Self.next(conversation)
            #expect(end["code"] == "success")
            #expect(end["effects"] == ["sendPayment"])
            #expect(end["response"]?["paymentRecord"]?["status"] == "completed")
        }
    }

    @Test(
        "The balance is too low when the user says yes: failureInsufficientFunds at confirm, with what the app needs (66)"
    )
    func insufficientFundsAtConfirm() async throws {
        try await Self.pay { pipeline, conversation in
            let prompt = try await Self.next(conversation)
            try await Self.setBalance(1_999, pipeline)
            try await Self.sayYes(to: prompt, conversation)
            let end = try await Self.next(conversation)
            #expect(end["code"] == "failureInsufficientFunds")
            #expect(end["phase"] == "confirm")
            #expect(end["userActivity"]?["userInfo"]?["balance"]?["amount"] == "19.99")
            #expect(end["effects"] == [])
        }
    }

    @Test("behaviour 84, R26: a payment waits for an unlocked device before anybody looks at it")
    func paymentWaitsForUnlockedDevice() async throws {
        try await Self.pay(device: ["id": "phone", "locked": true]) { _, conversation in
            let prompt = try await Self.next(conversation)
            #expect(prompt["kind"] == "unlockRequired")
            #expect(prompt["intent"]?["parameters"]?["payee"] == "Diana", "nothing was resolved")
            let data: JSONValue = ["user": ["id": "anna"], "device": ["id": "phone"]]
            try await conversation.send([conversation.makeEvent("device.unlocked", data: data)])
            #expect(try await Self.next(conversation)["kind"] == "intentConfirmation")
        }
    }
}
