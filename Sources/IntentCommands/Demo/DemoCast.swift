/// Apps whose stories are played together: each intent has one handler among them.
struct DemoCast: Sendable {
    /// The stories, in the order in which they are played.
    var stories: [DemoStory]
    /// The tables of the store that are shown afterwards.
    var tables: [DemoTable]
    /// Adapts the configuration to the apps.
    var adapt: @Sendable (Configuration) -> Configuration

    /// All apps but one, then the Hairdressers, which send messages as UnicornChat does.
    static let all = [most, hairdressers]

    private static let most = DemoCast(stories: DemoStory.all, tables: DemoTable.all) { configuration in
        var configuration = configuration
        configuration.values[Setting.samples.key] = .init(value: .text("true"), origin: .byDefault)
        return configuration
    }

    /// They have topics, a store and records of their own beside the others.
    private static let hairdressers = DemoCast(
        stories: DemoStory.hairdressers,
        tables: [.hairdresserMessages]
    ) { configuration in
        var configuration = configuration
        func set(_ setting: Setting, _ text: String) {
            configuration.values[setting.key] = .init(value: .text(text), origin: .byDefault)
        }
        set(.samples, "true")
        set(.messagesApp, "Hairdressers")
        set(.prefix, "\(configuration.prefix)-hairdressers")
        set(.data, "\(configuration.data.path)/hairdressers")
        return configuration
    }
}
