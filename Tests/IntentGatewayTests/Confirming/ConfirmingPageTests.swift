import IntentEvents
import IntentKit
import Testing

@testable import IntentGateway

@Suite("R89: the page at which users answer")
struct ConfirmingPageTests {
    private func text(_ prompt: JSONValue?, locale: String = "en") -> String {
        let snapshot = InteractionSnapshot(
            id: "i",
            userID: "me",
            state: prompt == nil ? .running : .awaitingUser,
            intent: "Pay",
            requestedAt: Timestamp(milliseconds: 0),
            revision: 3,
            prompt: prompt
        )
        return ConfirmingPage(locale: locale).html(of: snapshot, secret: "s3cret").text
    }

    @Test("What a client or a handler says is text on the page, never markup")
    func escapes() {
        let attack = "<script>alert(1)</script>\"'"
        let page = self.text([
            "promptId": .string(attack), "kind": "intentConfirmation", "dialog": .string(attack),
            "intent": ["name": "Pay", "parameters": ["note": .string(attack)]], "response": ["fee": .string(attack)],
        ])
        #expect(!page.contains("<script"))
        #expect(page.contains("&lt;script&gt;"))
        #expect(page.contains("name=\"secret\" value=\"s3cret\""))
    }

    @Test("The page shows what the kind of prompt needs, in the user's language")
    func fitsPrompt() {
        let yes = self.text(["promptId": "i/c/1", "kind": "intentConfirmation", "dialog": "?"], locale: "de-AT")
        #expect(yes.contains("value=\"accept\">Ja</button>") && yes.contains("value=\"decline\">Nein</button>"))
        let locked = self.text(["promptId": "i/r/1", "kind": "unlockRequired", "dialog": "?"])
        #expect(locked.contains("value=\"unlock\"") && !locked.contains("value=\"accept\""))
        let secret = self.text([
            "promptId": "i/r/1", "kind": "needsValue", "dialog": "?", "accepts": ["value": ["sensitive": true]],
        ])
        #expect(secret.contains("<input type=\"password\" name=\"value\""))
        let choice = self.text([
            "promptId": "i/r/1", "kind": "disambiguation", "dialog": "?", "options": ["a", "b"],
            "optionDisplays": [["title": "A"], ["title": "B"]],
        ])
        #expect(choice.contains("type=\"radio\" name=\"choice\" value=\"1\"> B"))
        #expect(self.text(nil).contains("http-equiv=\"refresh\""))
    }

    @Test("A browser runs no script of the page, frames it nowhere, and sends its forms only here")
    func setsPolicy() {
        #expect(ConfirmingPage.policy.hasPrefix("default-src 'none'; style-src 'sha256-"))
        #expect(ConfirmingPage.policy.contains("frame-ancestors 'none'"))
        #expect(ConfirmingPage.policy.contains("form-action 'self'"))
    }
}
