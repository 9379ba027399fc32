import IntentEvents
import IntentKit
import Testing

@testable import IntentGateway

@Suite("R89: who may say yes")
struct ConfirmingRuleTests {
    private let agent = Caller(userID: "me", isAgent: true)
    private let user = Caller(userID: "me")

    private func rule() throws -> ConfirmingRule {
        let registry = try IntentRegistry(declaring: [["name": "Pay", "financial": true], ["name": "Note"]])
        return ConfirmingRule(registry: registry, publicURL: "https://intents.example/")
    }

    private func code(
        _ data: JSONObject,
        to id: InteractionID = "i/1",
        intent: String? = "Pay",
        by caller: Caller
    ) throws -> GatewayError.Code? {
        let rule = try self.rule()
        do throws(GatewayError) {
            try rule.check(.promptAnswered, data, to: id, intent: intent, by: caller)
            return nil
        } catch {
            return error.code
        }
    }

    @Test(
        "An agent's answer to whether to pay is refused, in whatever words it says yes",
        arguments: [
            ["promptId": "i/1/c/1", "action": "accept"], ["promptId": "i/1/c/1"],
            ["promptId": "i/1/c/1", "value": "yes"], ["promptId": "i/1/c/1", "action": "accept", "value": true],
            ["promptId": "i/1/c/9", "action": "accept", "corrections": [:]],
            ["promptId": "i/1/c/1", "action": "accept", "corrections": ["unknown": 1]],
            ["promptId": "i/1/c/1", "action": .null],
        ] as [JSONObject]
    )
    func refusesAgentsYes(data: JSONObject) throws {
        #expect(try self.code(data, by: self.agent) == .userMustConfirm)
        #expect(try self.code(data, by: self.user) == nil)
    }

    @Test("An agent may decline, correct and cancel, and answer what a value is asked for")
    func letsAgentsDecline() throws {
        #expect(try self.code(["promptId": "i/1/c/1", "action": "decline"], by: self.agent) == nil)
        let change: JSONObject = ["promptId": "i/1/c/1", "action": "decline", "corrections": ["amount": 1]]
        #expect(try self.code(change, by: self.agent) == nil)
        #expect(try self.code(["promptId": "i/1/c/1", "action": "cancel"], by: self.agent) == nil)
        #expect(try self.code(["promptId": "i/1/r/1", "value": "yes"], by: self.agent) == nil)
    }

    @Test("An agent may say yes to an intent that does not reserve it, and to no intent that is unknown here")
    func followsDeclaration() throws {
        let yes: JSONObject = ["promptId": "i/1/c/1", "action": "accept"]
        #expect(try self.code(yes, intent: "Note", by: self.agent) == nil)
        #expect(try self.code(yes, intent: "Other", by: self.agent) == .userMustConfirm)
        #expect(try self.code(yes, intent: nil, by: self.agent) == .userMustConfirm)
    }

    @Test("An answer reaches no prompt of another interaction")
    func refusesPromptsOfOtherInteractions() throws {
        let yes: JSONObject = ["promptId": "i/2/c/1", "action": "accept"]
        #expect(try self.code(yes, intent: "Note", by: self.agent) == .superseded)
        #expect(try self.code(yes, intent: "Note", by: self.user) == .superseded)
    }

    @Test("An agent cannot report an unlocked device or a sign-in")
    func refusesAgentsUnlocking() throws {
        let rule = try self.rule()
        for type in [EventType.deviceUnlocked, .userAuthenticated] {
            #expect(throws: GatewayError.self) { try rule.check(type, [:], to: nil, intent: nil, by: self.agent) }
            try rule.check(type, [:], to: nil, intent: nil, by: self.user)
        }
    }

    @Test("The page's address has the interaction as one part of the path")
    func escapesAddress() throws {
        #expect(try self.rule().page(of: "a/b é?") == "https://intents.example/confirm/a%2Fb%20%C3%A9%3F")
    }
}
