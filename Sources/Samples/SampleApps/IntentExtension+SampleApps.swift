public import IntentKit
internal import SiriKitIntents

extension IntentExtension {
    /// All sample apps, so that each intent has one handler.
    ///
    /// - Parameter messages: The app that sends messages.
    /// - Returns: The extensions, with the tables that they need.
    public static func sampleApps(messages: SampleMessagesApp = .unicornChat) -> [IntentExtension] {
        let apps = [
            MessagesExtension.make(), CallsExtension.make(), PaymentsExtension.make(), WorkoutsExtension.make(),
            RidesExtension.make(),
        ]
        guard messages == .hairdressers else { return apps }
        var others = apps
        others[0].registrations.removeAll { $0.intentName == INSendMessageIntent.intentName }
        others[0].restrictedWhileLocked.remove(INSendMessageIntent.intentName)
        return [HairdressersExtension.make()] + others
    }
}

extension IntentUIExtension {
    /// The presenters of all sample apps.
    public static func sampleApps() -> [IntentUIExtension] {
        [MessagesUIExtension.make(), RidesUIExtension.make()]
    }
}
