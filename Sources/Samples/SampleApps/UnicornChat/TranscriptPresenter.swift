public import IntentKit
import SiriKitIntents

/// Draws messages as part of a chat: a draft until they are sent, then one bubble per message (behaviours 69, 88).
public struct TranscriptPresenter: IntentPresenter {
    /// The height of one line of text, in points.
    private static let lineHeight = 24
    /// The number of characters in a line of the widest bubble.
    private static let lineLength = 32
    /// The number of messages that are drawn; of the rest only the number is shown.
    private static let maximumMessages = 10

    public init() {}

    /// Draws a message that is to be sent, or those that were sent; draws nothing on a map.
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

    /// The text of a bubble: the content, else the names of the recordings.
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

    /// The recipient: the group, or the people as the dry run found them.
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
    /// The name to show: the known one, else the spoken one.
    var shownName: String { self.displayName ?? self.spokenPhrase ?? self.handle?.value ?? "" }
}
