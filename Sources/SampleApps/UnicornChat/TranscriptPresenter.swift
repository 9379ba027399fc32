public import IntentKit
import SiriKitIntents

/// Draws messages as a piece of a chat: a draft until they are sent, then one bubble a message (behaviours 69, 88).
public struct TranscriptPresenter: IntentPresenter {
    /// What one line of text takes, in points.
    private static let lineHeight = 24
    /// How many characters fit into a line of the widest bubble.
    private static let lineLength = 32
    /// How many messages are drawn; the rest is counted.
    private static let maximumMessages = 10

    /// Makes a presenter.
    public init() {}

    /// Draws a message that is to be sent, or those that were sent; on a map there is nothing to see.
    public func view(of interaction: PresentedInteraction, in presentation: Presentation) -> PresentedView? {
        guard presentation.context == .snippet else { return nil }
        let intent = interaction.intent(as: INSendMessageIntent.self)
        let sent = interaction.response["sentMessages"].flatMap([INMessage].init(json:)) ?? []
        let draft = Self.text(intent.content, intent.attachments)
        guard !sent.isEmpty || !draft.isMissing else { return nil }
        let state: HTML = interaction.handlingStatus.isDraft ? "draft" : sent.isEmpty ? "not-sent" : "sent"
        let bubbles = sent.isEmpty ? [self.bubble(draft)] : self.bubbles(sent)
        let html: HTML = """
            <section class="transcript \(state)">\
            <h1>\(self.addressees(of: interaction, intent))</h1>\(bubbles.map(\.html))</section>
            """
        let height = Self.lineHeight * (1 + bubbles.reduce(0) { $0 + $1.lines })
        return PresentedView(
            html: html,
            desiredSize: ViewSize(width: presentation.maximumSize.width, height: height),
            displays: [.message]
        )
    }

    /// What a bubble says: the text, else the names of the recordings.
    private static func text(_ content: String?, _ attachments: [INSendMessageAttachment]?) -> String {
        if let content, !content.isMissing { return content }
        return (attachments ?? []).map { $0.name ?? "recording" }.joined(separator: ", ")
    }

    private func bubbles(_ messages: [INMessage]) -> [Bubble] {
        var bubbles = messages.prefix(Self.maximumMessages)
            .map { message in
                let text = Self.text(message.content, message.attachments)
                return self.bubble(text, to: message.recipients?.first?.shownName)
            }
        if messages.count > bubbles.count {
            bubbles.append(Bubble(html: "<p class=\"more\">+\(messages.count - bubbles.count)</p>", lines: 1))
        }
        return bubbles
    }

    private func bubble(_ text: String, to recipient: String? = nil) -> Bubble {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
            .reduce(0) { $0 + 1 + $1.count / Self.lineLength }
        guard let recipient else { return Bubble(html: "<p class=\"bubble\">\(text)</p>", lines: lines) }
        return Bubble(html: "<p class=\"bubble\" title=\"\(recipient)\">\(text)</p>", lines: lines)
    }

    /// Whom it goes to: the group, or the people as the dry run found them.
    private func addressees(of interaction: PresentedInteraction, _ intent: INSendMessageIntent) -> String {
        if let group = intent.speakableGroupName, !group.isMissing { return group.spokenPhrase }
        let found = interaction.response["recipients"].flatMap([INPerson].init(json:))
        return (found ?? intent.recipients ?? []).map(\.shownName).joined(separator: ", ")
    }

    private struct Bubble {
        var html: HTML
        var lines: Int
    }
}

extension INPerson {
    /// The name to show: the known one, else what was said.
    var shownName: String { self.displayName ?? self.spokenPhrase ?? self.handle?.value ?? "" }
}
