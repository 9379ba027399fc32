package import IntentKit
import IntentOperations

/// Apps whose stories are played together: each intent has one handler among them.
package struct DemoCast: Sendable {
    /// Distinguishes topics, store and records from those of the other casts; nil for the first one.
    package var name: String?
    /// Which of the sample apps sends messages (`messages.app`); nil for the usual one.
    package var messagesApp: String?
    /// The stories, in the order in which they are played.
    package var stories: [DemoStory]
    /// The tables of the store that are shown afterwards.
    package var tables: [DemoTable]

    package init(name: String? = nil, messagesApp: String? = nil, stories: [DemoStory], tables: [DemoTable]) {
        self.name = name
        self.messagesApp = messagesApp
        self.stories = stories
        self.tables = tables
    }

    /// Adapts a configuration to the apps.
    func adapt(_ configuration: Configuration) -> Configuration {
        var adapted = configuration
        func set(_ setting: Setting, _ text: String) {
            adapted.values[setting.key] = .init(value: .text(text), origin: .byDefault)
        }
        set(.samples, "true")
        if let messagesApp { set(.messagesApp, messagesApp) }
        if let name {
            set(.prefix, "\(configuration.prefix)-\(name)")
            set(.data, "\(configuration.data.path)/\(name)")
        }
        return adapted
    }
}

/// What `demo` plays; a program without it has no such command.
package struct Demonstration: Sendable {
    /// The casts, in the order in which they are played.
    package var casts: [DemoCast]
    /// Intents of the stories, as a file would declare them.
    package var definitions: [JSONValue]
    /// Apps that take the place of sample apps.
    package var apps: [IntentExtension]

    package init(casts: [DemoCast], definitions: [JSONValue], apps: [IntentExtension]) {
        self.casts = casts
        self.definitions = definitions
        self.apps = apps
    }

    /// That of the running program.
    @TaskLocal static var current: Demonstration?
}
