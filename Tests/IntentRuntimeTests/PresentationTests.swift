import IntentEvents
import IntentKit
import IntentLab
import Testing

@Suite("Views of interactions (R38)")
struct PresentationTests {
    /// Draws a greeting as a bubble, and nothing where there is no name.
    private struct BubblePresenter: IntentPresenter {
        func view(of interaction: PresentedInteraction, in presentation: Presentation) -> PresentedView? {
            let intent = interaction.intent(as: GreetIntent.self)
            let state: HTML = interaction.handlingStatus.isDraft ? "draft" : "sent"
            return PresentedView(
                html: "<p class=\"\(state) \(presentation.context.rawValue)\">\(intent.name ?? "")</p>",
                desiredSize: intent.name == "ghost" ? .zero : ViewSize(width: 400, height: 60),
                displays: [.message]
            )
        }
    }

    private let bubbles = IntentUIExtension(
        "Bubbles",
        supportedIntents: ["GreetIntent"],
        presenter: BubblePresenter()
    )

    @Test("A presenter draws drafts and results, escaped, within the maximum size (behaviours 69, 88, 89, 90)")
    func presenterDrawsDraftsAndResults() async throws {
        let registration = IntentRegistration(confirmation: .always) { GreetHandler() }
        try await Pipeline.with([registration], presentation: [self.bubbles]) { pipeline in
            try await pipeline.request(
                "GreetIntent",
                ["name": "<Jeff> & \"co\""],
                subject: "i1",
                extra: ["presentation": ["context": "card", "maximumSize": ["width": 200, "height": 100]]]
            )
            let prompt = try await pipeline.next(of: "i1")
            #expect(
                prompt.data["view"] == [
                    "context": "card",
                    "html": "<p class=\"draft card\">&lt;Jeff&gt; &amp; &quot;co&quot;</p>",
                    "desiredSize": ["width": 200, "height": 60],
                    "displays": ["message"],
                ]
            )
            try await pipeline.answer(prompt, [:])
            let response = try await pipeline.next(of: "i1")
            #expect(
                response.data["view"]?["html"]
                    == "<p class=\"sent card\">&lt;Jeff&gt; &amp; &quot;co&quot;</p>"
            )
        }
    }

    @Test("A size of zero draws nothing; without a context the view is a snippet (behaviours 88, 90)")
    func zeroSizeDrawsNothing() async throws {
        try await Pipeline.with([IntentRegistration { GreetHandler() }], presentation: [self.bubbles]) { pipeline in
            try await pipeline.request("GreetIntent", ["name": "ghost"], subject: "i1")
            #expect(try await pipeline.next(of: "i1").data["view"] == .null)
            try await pipeline.request("GreetIntent", ["name": "Jeff"], subject: "i2")
            let view = try await pipeline.next(of: "i2").data["view"]
            #expect(view?["context"] == "snippet")
            #expect(view?["desiredSize"]?["width"] == 320)
        }
    }

    @Test("An intent without a presenter has no view: presenters are listed apart from handlers (behaviour 91)")
    func intentWithoutPresenterHasNoView() async throws {
        try await Pipeline.with([IntentRegistration { GreetHandler() }]) { pipeline in
            try await pipeline.request("GreetIntent", ["name": "Jeff"], subject: "i1")
            #expect(try await pipeline.next(of: "i1").data["view"] == .null)
        }
        let handlers = [IntentExtension("Tests") { IntentRegistration { GreetHandler() } }]
        #expect(throws: IntentRegistry.ConfigurationError.self) {
            try IntentRegistry(handlers, presentation: [self.bubbles, self.bubbles])
        }
        let other = IntentUIExtension("Other", supportedIntents: ["Unknown"], presenter: BubblePresenter())
        #expect(throws: IntentRegistry.ConfigurationError.self) {
            try IntentRegistry(handlers, presentation: [other])
        }
    }

    @Test(
        "R9, R38: an invalid presentation is an invalid request, with the reason",
        arguments: [
            ["context": "wall"], ["maximumSize": ["width": -1, "height": 10]], ["maximumSize": "large"], "card",
            ["maximumSize": ["width": 10, "height": 100_000]],
        ] as [JSONValue]
    )
    func refusesInvalidPresentation(presentation: JSONValue) async throws {
        try await Pipeline.with([IntentRegistration { GreetHandler() }]) { pipeline in
            try await pipeline.request("GreetIntent", subject: "i1", extra: ["presentation": presentation])
            let response = try await pipeline.next(of: "i1")
            #expect(response.data["endReason"] == "invalidRequest")
            #expect(response.data["response"]?["error"]?.string?.contains("data.presentation") == true)
        }
    }
}
