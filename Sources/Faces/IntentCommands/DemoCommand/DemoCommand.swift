import ArgumentParser
import DeclaredIntents
import Foundation
import IntentConsole
import IntentEvents
import IntentGateway
import IntentKit
import IntentOperations
import IntentRecords
import IntentRuntime
import IntentScenarios
import ServiceLifecycle

/// `intentd demo`: the stories, played through the real pipeline.
struct DemoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo",
        abstract: "Run sample conversations through the real pipeline, and show the records in SQLite.",
        discussion: """
            Everything is real: broker, topics, transactions, three stages and the recorder, all in this process. \
            Without --data it uses a temporary directory, which is removed at the end. In a terminal the console \
            then shows the stories, and a page lets you talk to the same apps, until Ctrl-C.
            """
    )

    @OptionGroup var listening: ListenOption

    @Flag(
        inversion: .prefixedNo,
        help: "Serve console and demo page afterwards, until Ctrl-C. (default: in a terminal)"
    )
    var serve: Bool?

    @OptionGroup var brokers: BrokersOption
    @OptionGroup var common: CommonOptions

    func run() async throws {
        var common = self.common
        let scratch = common.data == nil ? try ScratchDirectory(prefix: "intentd-demo") : nil
        if let scratch { common.data = scratch.path }
        defer { scratch?.remove() }
        let configuration = try common.load(brokers: self.brokers)
        let casts = Demonstration.current?.casts ?? []
        for cast in casts { try await self.play(cast, cast.adapt(configuration), isKept: scratch == nil) }
        guard self.serve ?? StandardOutput.isTerminal, !casts.isEmpty else {
            if scratch != nil { StandardError.report("the files are not kept: use --data DIRECTORY to keep them") }
            return
        }
        try await self.serve(casts[...], [], configuration)
    }

    /// Serves each cast until a signal comes: its stages, a console that shows its stories, and a gateway with the demo
    /// page.
    private func serve(
        _ casts: ArraySlice<DemoCast>,
        _ services: [any Service],
        _ configuration: Configuration
    ) async throws {
        guard let cast = casts.first else {
            let run = ServiceRun(services: services, logger: configuration.logger("intentd.demo"))
            return try await run.untilSignalled()
        }
        let adapted = cast.adapt(configuration)
        let intents = try Self.intents(adapted)
        // Each cast has topics of its own; with an embedded broker also a broker, and the first one the named address.
        let access = try await LogAccess.start(adapted, listen: services.isEmpty ? self.listening.listen : nil)
        try await access.use { log in
            let assembly = try await Assembly.make(adapted, log: log, intents: intents, creatingTopics: false)
            let name = try WorkerName.claim(in: adapted.data)
            let stages = try assembly.services(WorkerRole.allCases, name: name.text, lanes: 1, isScripted: false)
            var settings = GatewaySettings(adapted)
            settings.servesDemo = true
            try await assembly.ledger?
                .addDemoData(of: intents.extensions, for: [settings.developmentUser.text], run: "demo")
            // Of several casts, the first one gets the configured ports.
            let gateway = try await GatewayService.start(assembly, settings, isUsual: true, monitor: nil)
            let operations = Operations(adapted, intents: intents, topics: (log, assembly.deployment))
            var console: ConsoleService?
            if let address = adapted.listenAddress(.consoleListen) {
                console = try await ConsoleService.start(operations, at: address, isUsual: true)
            }
            let pages = [
                console.map { "The console on \($0.link) shows:\n\(Self.titles(of: cast))" },
                gateway.map { "Talk to the same apps on \($0.link)/demo" },
            ]
            StandardOutput.print((pages.compactMap(\.self) + ["Ctrl-C stops it."]).joined(separator: "\n"))
            let consoles: [any Service] = console.map { [$0] } ?? []
            try await self.serve(
                casts.dropFirst(),
                services + stages + (gateway?.services ?? []) + consoles,
                configuration
            )
            withExtendedLifetime(name) {}
        }
    }

    private static func titles(of cast: DemoCast) -> String {
        cast.stories.map { "  \($0.title)" }.joined(separator: "\n")
    }

    /// The intents of the stories.
    private static func intents(_ configuration: Configuration) throws -> IntentSet {
        var sources = HandlerSources.current
        if let demonstration = Demonstration.current {
            let declared = demonstration.definitions.flatMap { DefinitionFile($0).definitions }
            sources.own.append(IntentExtension("Demo") { declared.map { $0.makeRegistration() } })
            sources.own += demonstration.apps
        }
        return try IntentSet(configuration, sources: sources)
    }

    /// Plays the stories of some apps, and shows the results.
    private func play(_ cast: DemoCast, _ configuration: Configuration, isKept: Bool) async throws {
        let intents = try Self.intents(configuration)
        try configuration.data.create(configuration.logger("intentd.data"))
        let access = try await LogAccess.start(configuration, listen: self.listening.listen)
        try await access.use { log in
            let assembly = try await Assembly.make(configuration, log: log, intents: intents, creatingTopics: true)
            guard let ledger = assembly.ledger else {
                throw OperationError(.configuration, "the demo's stories need the store: ledger must be sqlite")
            }
            let name = try WorkerName.claim(in: configuration.data)
            let services = try assembly.services(WorkerRole.allCases, name: name.text, lanes: 1, isScripted: false)
            try await assembly.run(services)
                .during {
                    let ids = try await Self.play(cast.stories, assembly, ledger: ledger)
                    try await Self.showRecords(of: ids, assembly, isKept: isKept)
                    for table in cast.tables {
                        Self.head(table.title, in: isKept ? configuration.data.store : nil)
                        StandardOutput.print(try await table.lines(ledger).joined(separator: "\n") + "\n")
                    }
                }
            withExtendedLifetime(name) {}
        }
    }

    private static func play(
        _ stories: [DemoStory],
        _ assembly: Assembly,
        ledger: any EffectLedger
    ) async throws -> [String] {
        let client = try await ConversationClient(assembly.deployment, on: assembly.log, source: "/intentd/demo")
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await client.run() }
            let player = DemoPlayer(
                client: client,
                ledger: ledger,
                extensions: assembly.intents.extensions,
                text: ConversationText(masking: .revealed),
                run: String(UInt32.random(in: .min ... .max), radix: 36)
            )
            var ids: [String] = []
            for (index, story) in stories.enumerated() {
                ids.append(try await player.play(story, number: index + 1))
            }
            group.cancelAll()
            try await group.waitForAll()
            return ids
        }
    }

    /// Prints the heading of a table, with the file where people can find it later.
    private static func head(_ title: String, in file: String?) {
        StandardOutput.print("── \(title)\(file.map { " (\($0))" } ?? "") ──")
    }

    /// Prints what the recorder and the handlers have stored in SQLite.
    private static func showRecords(of ids: [String], _ assembly: Assembly, isKept: Bool) async throws {
        let archive = try await RecordArchive.open(at: assembly.configuration.data.records)
        var interactions: [RecordedInteraction] = []
        // The recorder is a consumer group like any other: it records an answer a moment later.
        for _ in 0..<200 where interactions.count < ids.count {
            interactions = []
            for id in ids {
                guard let story = try await archive.story(ofInteraction: InteractionID(id)),
                    story.interaction.endedAt != nil
                else {
                    break
                }
                interactions.append(story.interaction)
            }
            if interactions.count < ids.count { try await Task.sleep(for: .milliseconds(50)) }
        }
        Self.head("interactions", in: isKept ? assembly.configuration.data.records : nil)
        var table = Table(
            "interaction",
            "user",
            "intent",
            "status",
            "code",
            "end reason",
            ">prompts",
            ">turns",
            ">ms"
        )
        for row in interactions {
            table.add(
                row.interactionID?.text ?? "",
                row.userID?.text ?? "",
                row.intent ?? "",
                row.status ?? "",
                row.code ?? "",
                row.endReason ?? "",
                String(row.prompts),
                String(row.turns),
                row.duration.map { String($0) } ?? ""
            )
        }
        table.show()
        StandardOutput.print("")
    }
}
