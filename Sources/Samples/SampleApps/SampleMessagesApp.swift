package import IntentKit

/// The app that sends messages: an intent has one handler, and two of the sample apps send them.
public enum SampleMessagesApp: String, Sendable, CaseIterable {
    /// UnicornChat, with contacts, groups and a session; it also finds messages and marks them.
    case unicornChat = "UnicornChat"
    /// Hairdressers, whose contacts all users share; UnicornChat still finds messages and marks them.
    case hairdressers = "Hairdressers"

    /// All sample apps by the one that sends messages.
    package static var allSampleApps: [String: [IntentExtension]] {
        Dictionary(uniqueKeysWithValues: Self.allCases.map { ($0.rawValue, IntentExtension.sampleApps(messages: $0)) })
    }
}
