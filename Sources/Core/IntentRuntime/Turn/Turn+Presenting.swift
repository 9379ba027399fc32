internal import IntentEvents
internal import IntentKit

extension Turn {
    /// The view that the intent's presenter draws; nil when there is no presenter, or it draws nothing (R38).
    func view(
        of interaction: Interaction,
        code: String?,
        status: INIntentHandlingStatus,
        response: HandlerResponse?
    ) -> JSONValue? {
        // A presenter is foreign code too: it may have ended the process.
        guard self.record.crash == nil,
            let presenter = self.registered(interaction)?.presenter
        else { return nil }
        let presented = PresentedInteraction(
            identifier: interaction.id.text,
            userID: interaction.user.id,
            locale: interaction.locale,
            intent: interaction.intent,
            code: code,
            response: response?.details ?? [:],
            handlingStatus: status
        )
        let presentation = interaction.presentation ?? Presentation()
        return presenter.view(of: presented, in: presentation)?.json(in: presentation)
    }
}
