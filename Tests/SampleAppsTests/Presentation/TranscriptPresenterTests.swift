import IntentKit
import SampleApps
import SiriKitIntents
import Testing

@Suite("Messages as a chat (R38)")
struct TranscriptPresenterTests {
    private let presenter = TranscriptPresenter()

    private func interaction(
        _ status: INIntentHandlingStatus,
        content: String = "Lunch at <noon>?",
        response: JSONObject = [:]
    ) -> PresentedInteraction {
        PresentedInteraction(
            identifier: "i1",
            userID: "u1",
            locale: "en-US",
            intent: IntentSnapshot(
                name: "INSendMessageIntent",
                parameters: ["content": .string(content), "recipients": [["displayName": "Sparkle & co"]]]
            ),
            code: nil,
            response: response,
            handlingStatus: status
        )
    }

    @Test(
        "A message is a draft until it is sent (behaviour 69)",
        arguments: [.unspecified, .ready, .inProgress, .userConfirmationRequired] as [INIntentHandlingStatus]
    )
    func drawsDraftUntilSent(status: INIntentHandlingStatus) throws {
        let view = try #require(self.presenter.view(of: self.interaction(status), in: Presentation()))
        #expect(view.html.text.contains("class=\"transcript draft\""))
        #expect(view.html.text.contains("<h1>Sparkle &amp; co</h1>"))
        #expect(view.html.text.contains("<p class=\"bubble\">Lunch at &lt;noon&gt;?</p>"))
        #expect(view.displays == [.message])
    }

    @Test("Sent messages are one bubble each, with its recipient; many are counted (behaviours 69, 88)")
    func drawsSentMessagesByRecipient() throws {
        let messages = (1...12)
            .map { number in
                INMessage(
                    identifier: "m\(number)",
                    content: "Hello",
                    recipients: [INPerson(displayName: "\"Jeff\" \(number)")]
                )
            }
        let sent = self.interaction(.success, response: ["sentMessages": messages.json])
        let view = try #require(self.presenter.view(of: sent, in: Presentation()))
        #expect(view.html.text.contains("class=\"transcript sent\""))
        #expect(view.html.text.contains("<p class=\"bubble\" title=\"&quot;Jeff&quot; 1\">Hello</p>"))
        #expect(view.html.text.contains("<p class=\"more\">+2</p>"))
    }

    @Test("A failed message is shown as not sent; without text, or on a map, nothing is drawn (behaviours 69, 88)")
    func drawsFailureAsNotSent() throws {
        let failed = try #require(self.presenter.view(of: self.interaction(.failure), in: Presentation()))
        #expect(failed.html.text.contains("class=\"transcript not-sent\""))
        #expect(self.presenter.view(of: self.interaction(.ready, content: " "), in: Presentation()) == nil)
        #expect(self.presenter.view(of: self.interaction(.ready), in: Presentation(context: .card)) == nil)
    }

    @Test("A longer message asks for more height (behaviour 90)")
    func longerMessageAsksForMoreHeight() throws {
        func height(_ content: String) throws -> Int {
            let interaction = self.interaction(.ready, content: content)
            return try #require(self.presenter.view(of: interaction, in: Presentation())).desiredSize.height
        }
        #expect(try height("short") < height(String(repeating: "long ", count: 40)))
        #expect(try height("one") < height("one\ntwo\nthree"))
    }
}
