/// Which app sends messages: an intent has one handler, and two of the sample apps send them.
public enum SampleMessagesApp: String, Sendable, CaseIterable {
    /// UnicornChat, with contacts, groups and a session; it also finds messages and marks them.
    case unicornChat = "UnicornChat"
    /// Hairdressers, who are everybody's; UnicornChat still finds messages and marks them.
    case hairdressers = "Hairdressers"
}
