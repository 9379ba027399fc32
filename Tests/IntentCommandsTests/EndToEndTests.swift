import Foundation
import IntentEvents
import IntentKit
import IntentLab
import IntentRecords
import IntentRuntime
import Synchronization
import Testing

@testable import IntentCommands
@testable import IntentOperations

@Suite("Everything in one process, over the Kafka protocol")
struct EndToEndTests {
    private static let definition = """
        name: OrderLemonade
        confirmation: never
        parameters:
          - {name: flavour, type: string, required: true, values: [lemon, rhubarb]}
          - {name: cups, type: integer, default: 1}
        """

    private static let events = """
        {"type":"intent.requested","subject":"i1","data":{"intent":{"name":"OrderLemonade",\
        "parameters":{"flavour":"rhubarb"}},"user":{"id":"anna"}}}
        {"type":"intent.requested","subject":"i2","data":{"intent":{"name":"NoSuchIntent"},"user":{"id":"bob"}}}
        """

    /// What the tests look at: a broker that runs, on which both requests have ended and are recorded.
    private struct Ended {
        let directory: TemporaryDirectory
        let definition: String
        let log: any EventLog
        /// The terminal responses, by interaction.
        let responses: JSONObject
    }

    private static func produceAndRecord(_ body: (Ended) async throws -> Void) async throws {
        let directory = try TemporaryDirectory()
        let definition = try directory.write(Self.definition, to: "lemonade.yaml")
        let events = try directory.write(Self.events, to: "events.ndjson")
        var configuration = Configuration()
        configuration.values[Setting.data.key] = .init(value: .text(directory.path), origin: .byDefault)
        configuration.values[Setting.definitions.key] = .init(value: .list([definition]), origin: .byDefault)
        configuration.values[Setting.logLevel.key] = .init(value: .text("critical"), origin: .byDefault)
        let intents = try IntentSet(configuration, sources: HandlerSources())
        let access = try await LogAccess.start(configuration, listen: nil)
        try await access.use { log in
            let assembly = try await Assembly.make(configuration, log: log, intents: intents, creatingTopics: true)
            let services = try assembly.services(WorkerRole.allCases, name: "test", lanes: 1, isScripted: false)
            let responses = try await assembly.run(services)
                .during {
                    var input = try LineReader(events, maximumLineBytes: 1_000)
                    let producer = try await log.makeProducer()
                    var feed = EventFeed(producer: producer, to: assembly.deployment, rate: nil)
                    try await feed.run(&input)
                    await producer.close()
                    let responses = try await Self.terminalResponses(2, of: assembly)
                    // The recorder may join its group long after the workers have theirs.
                    try await eventually { try await Self.recorded(in: directory) >= 2 }
                    return responses
                }
            try await body(Ended(directory: directory, definition: definition, log: log, responses: responses))
        }
    }

    @Test("Requests sent by produce are answered and recorded", .timeLimit(.minutes(1)))
    func answersAndRecordsProducedRequests() async throws {
        try await Self.produceAndRecord { ended in
            #expect(ended.responses["i1"]?["code"] == "success")
            #expect(ended.responses["i1"]?["intent"]?["parameters"] == ["cups": 1, "flavour": "rhubarb"])
            #expect(ended.responses["i2"]?["endReason"] == "unsupportedIntent")
            let file = ended.directory.file("rebuilt.sqlite")
            let rebuilt = try await RecordDatabase.rebuild(at: file, from: ended.log, prefix: "intents")
            #expect(rebuilt > 4)
            let archive = try await RecordArchive.open(at: file)
            #expect(try await archive.interactions(.init()).count == 2)
        }
    }

    @Test("replay proves each turn, and shows what other definitions would do", .timeLimit(.minutes(1)))
    func replays() async throws {
        try await Self.produceAndRecord { try await Self.replay($0.directory, $0.definition) }
    }

    @Test("audit verifies, shows and exports, and finds one changed byte", .timeLimit(.minutes(1)))
    func audits() async throws {
        try await Self.produceAndRecord { try await Self.audit($0.directory, $0.definition) }
    }

    @Test("export writes the records of one of two users", .timeLimit(.minutes(1)))
    func exports() async throws {
        try await Self.produceAndRecord { try await Self.exportAnna($0.directory, $0.definition) }
    }

    /// Exports one of two users, from the records and from the topics (R92).
    private static func exportAnna(_ directory: TemporaryDirectory, _ definition: String) async throws {
        let common = ["--data", directory.path, "--log-level", "critical", "--definitions", definition]
        func export(_ name: String, _ options: String...) async throws -> [String: String] {
            let file = directory.file(name)
            let printed = await Printed.by(["export", "--user", "anna", "--output", file] + options + common)
            #expect(printed.status == 0, "\(printed.errors)")
            let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
            #expect(mode == 0o600)
            return try Self.unpacked(file, to: directory.file(name + "-files"))
        }
        let whole = try await export("anna.tar", "--reveal")
        #expect(
            whole.keys.sorted() == [
                "effects.ndjson", "index.html", "interactions.ndjson", "records.ndjson", "state.ndjson",
                "vocabularies.json",
            ]
        )
        let records = try #require(whole["records.ndjson"]).split(separator: "\n")
            .map { try JSONValue(parsing: Array($0.utf8)) }
        let topics = Set(records.compactMap { $0["topic"]?.string })
        #expect(topics == ["requests", "resolved", "confirmed", "responses", "journal"])
        #expect(!records.contains { $0["value"]?["user"]?["id"] == "bob" || $0["key"] == "bob" })
        // The records have been read already, so that the topics add none twice.
        #expect(Set(records.map { "\($0["topic"]!)/\($0["partition"]!)/\($0["offset"]!)" }).count == records.count)
        #expect(try #require(whole["interactions.ndjson"]).split(separator: "\n").count == 1)
        #expect(try #require(whole["state.ndjson"]).contains("anna") || !whole["state.ndjson"]!.isEmpty)
        let page = try #require(whole["index.html"])
        #expect(page.contains("OrderLemonade") && page.contains("flavour: rhubarb") && page.contains("success"))
        // Without the records' file the same records come from the topics.
        let file = directory.file("records.sqlite")
        let hidden = directory.file("hidden.sqlite")
        try FileManager.default.moveItem(atPath: file, toPath: hidden)
        let fromTopics = try await export("topics.tar", "--reveal")
        try FileManager.default.moveItem(atPath: hidden, toPath: file)
        #expect(
            Set(try #require(fromTopics["records.ndjson"]).split(separator: "\n"))
                == Set(try #require(whole["records.ndjson"]).split(separator: "\n"))
        )
        let masked = try await export("masked.tar")
        #expect(masked["state.ndjson"] == nil)
        #expect(!(try #require(masked["records.ndjson"]).contains(#""headers""#)))
        let again = await Printed.by(["export", "--user", "anna", "--output", directory.file("anna.tar")] + common)
        #expect(again.status == 66)
        #expect(again.errors.contains("anna.tar exists"))
        let nobody = await Printed.by(["export", "--user", "", "--output", directory.file("x.tar")] + common)
        #expect(nobody.status == 64)
        #expect(!FileManager.default.fileExists(atPath: directory.file("x.tar")))
    }

    /// The files of an archive, as the system's own tar reads it.
    private static func unpacked(_ file: String, to directory: String) throws -> [String: String] {
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: false)
        let tar = Process()
        tar.executableURL = URL(filePath: "/usr/bin/env")
        tar.arguments = ["tar", "-xf", file, "-C", directory]
        try tar.run()
        tar.waitUntilExit()
        #expect(tar.terminationStatus == 0)
        return try Dictionary(
            uniqueKeysWithValues: FileManager.default.contentsOfDirectory(atPath: directory)
                .map { name in
                    (name, try String(contentsOfFile: directory + "/" + name, encoding: .utf8))
                }
        )
    }

    /// How many interactions have ended in the records.
    private static func recorded(in directory: TemporaryDirectory) async throws -> Int {
        guard let archive = try? await RecordArchive.open(at: directory.file("records.sqlite")) else { return 0 }
        return try await archive.interactions(.init()).filter { $0.endReason != nil }.count
    }

    /// The exit status of a command about the deployment.
    private static func status(
        _ arguments: [String],
        directory: TemporaryDirectory,
        definition: String
    ) async -> Int32 {
        let common = ["--data", directory.path, "--log-level", "critical", "--definitions", definition]
        return await RootCommand.run(arguments + common)
    }

    private static func replay(_ directory: TemporaryDirectory, _ definition: String) async throws {
        func status(_ arguments: String..., definition: String) async -> Int32 {
            await Self.status(["replay"] + arguments, directory: directory, definition: definition)
        }
        #expect(await status(definition: definition) == 0)
        #expect(await status("--json", "--interaction", "i1", definition: definition) == 0)
        #expect(await status("--interaction", "nobody's", definition: definition) == 66)
        #expect(await status("--since", "100d", "--until", "99d", definition: definition) == 66)
        #expect(await status("--partition", "99", definition: definition) == 66)
        #expect(await status("--stage", "nowhere", definition: definition) == 64)
        #expect(await status("--shadow", definition: definition) == 0)
        let changed = try directory.write(
            Self.definition.replacing("[lemon, rhubarb]", with: "[lemon, woodruff]"),
            to: "changed.yaml"
        )
        // It asks for another flavour, a question that was never answered.
        #expect(await status("--shadow", definition: changed) == 0)
        #expect(await status("--shadow", "--strict", definition: changed) == 1)
        #expect(await status("--shadow", "--strict", definition: definition) == 0)
        #expect(await status("--strict", definition: definition) == 64)
        let more = try directory.write(
            Self.definition.replacing("default: 1", with: "default: 2"),
            to: "more.yaml"
        )
        #expect(await status("--shadow", definition: more) == 1)
        #expect(await status(definition: changed) == 1)
    }

    /// As an auditor does, who has the topics and a record database.
    private static func audit(_ directory: TemporaryDirectory, _ definition: String) async throws {
        func status(_ arguments: String...) async -> Int32 {
            await Self.status(arguments, directory: directory, definition: definition)
        }
        #expect(await status("audit", "verify") == 0)
        #expect(await status("audit", "anchor") == 0)
        #expect(await status("audit", "show", "i1") == 0)
        #expect(await status("audit", "show", "i1", "--at", "2") == 0)
        #expect(await status("audit", "show", "i1", "--at", "9") == 66)
        #expect(await status("audit", "export", "i1") == 0)
        #expect(await status("audit", "show", "nobody's") == 66)
        #expect(await status("audit", "show", "i1", "--at", "0") == 66)
        #expect(await status("audit", "show", "i1", "--at", "first") == 64)
        #expect(await status("audit", "export", "nobody's") == 66)
        #expect(await status("audit", "verify", "--anchor", "nowhere.json") == 66)
        let rebuilt = directory.file("again.sqlite")
        #expect(await status("replay", "--into", rebuilt, "--user", "anna") == 64)
        #expect(await status("replay", "--into", rebuilt) == 0)
        #expect(await status("audit", "verify", "--records", rebuilt) == 0)
        // One byte of the file.
        var bytes = try Data(contentsOf: URL(filePath: rebuilt))
        let range = try #require(bytes.firstRange(of: Data("rhubarb".utf8)))
        bytes[range.lowerBound] = UInt8(ascii: "R")
        try bytes.write(to: URL(filePath: rebuilt))
        #expect(await status("audit", "verify", "--records", rebuilt) == 1)
        let noAnchor = try directory.write("{}", to: "anchor.json")
        #expect(await status("audit", "verify", "--anchor", noAnchor) == 65)
        // A device that holds nothing is no anchor, and its error is no "Success".
        let common = ["--data", directory.path, "--log-level", "critical", "--definitions", definition]
        let device = await Printed.by(["audit", "verify", "--anchor", "/dev/null"] + common)
        #expect(device.status == 65 && device.errors.contains("/dev/null") && !device.errors.contains("Success"))
    }

    /// Waits for this many terminal responses, by interaction.
    private static func terminalResponses(_ count: Int, of assembly: Assembly) async throws -> JSONObject {
        struct Complete: Error {}
        let partitions = (0..<assembly.deployment.partitions).map { TopicPartition("intents.responses", $0) }
        let line = RecordLine(prefix: "intents", masking: .revealed)
        let found = Mutex<JSONObject>([:])
        do {
            try await LogFollower(log: assembly.log, partitions: partitions)
                .run(fromBeginning: true, untilEnd: false) {
                    for event in $0.map(line.json) where event["data"]?["terminal"] == true {
                        let isComplete = found.withLock { found in
                            found[event["subject"]?.string ?? ""] = event["data"]
                            return found.count == count
                        }
                        if isComplete { throw Complete() }
                    }
                }
        } catch is Complete {
            // All are there.
        }
        return found.withLock { $0 }
    }
}
