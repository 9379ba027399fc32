import Foundation
import IntentAudit
import IntentEvents
import IntentLab
import IntentRuntime
import Testing

@testable import IntentCommands
@testable import IntentOperations

@Suite("Keys and anchors, by command and on schedule")
struct AuditCommandsTests {
    private let directory: TemporaryDirectory
    private let key: String

    init() throws {
        self.directory = try TemporaryDirectory()
        self.key = self.directory.file("audit.key")
    }

    private func configuration(anchorEvery: Duration? = nil, key: String? = nil) -> Configuration {
        var configuration = Configuration()
        configuration.values[Setting.data.key] = .init(value: .text(self.directory.file("var")), origin: .byDefault)
        configuration.values[Setting.logLevel.key] = .init(value: .text("critical"), origin: .byDefault)
        if let anchorEvery {
            configuration.values[Setting.auditAnchorEvery.key] = .init(
                value: .duration(anchorEvery),
                origin: .byDefault
            )
        }
        if let key { configuration.values[Setting.auditKeyFile.key] = .init(value: .text(key), origin: .byDefault) }
        return configuration
    }

    @Test("A key file is created once, for its user alone; one that others may read is refused")
    func keyFileIsCreatedOnceAndPrivate() async throws {
        #expect(await RootCommand.run(["audit", "key"]) == 64)
        #expect(await RootCommand.run(["audit", "key", "--file", self.key]) == 66)
        #expect(await RootCommand.run(["audit", "key", "--make", "--file", self.key]) == 0)
        let mode = try FileManager.default.attributesOfItem(atPath: self.key)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        let text = try String(contentsOfFile: self.key, encoding: .utf8)
        #expect(await RootCommand.run(["audit", "key", "--make", "--file", self.key]) == 66)
        #expect(try String(contentsOfFile: self.key, encoding: .utf8) == text)
        #expect(await RootCommand.run(["audit", "key", "--file", self.key]) == 0)
        #expect(chmod(self.key, 0o640) == 0)
        #expect(await RootCommand.run(["audit", "key", "--file", self.key]) == 78)
        let other = try self.directory.write("nothing\n", to: "other.key")
        #expect(chmod(other, 0o600) == 0)
        #expect(await RootCommand.run(["audit", "key", "--file", other]) == 65)
        #expect(await RootCommand.run(["audit", "verify", "--public-key", "abc", "--anchor", "x"]) == 64)
    }

    @Test("A recorder makes signed anchors on schedule, each following the one before", .timeLimit(.minutes(1)))
    func recorderMakesSignedAnchorsOnSchedule() async throws {
        let made = try SigningKeyFile(self.configuration(key: self.key))?.make()
        let publicKey = try #require(made).publicKey
        let configuration = self.configuration(anchorEvery: .seconds(1), key: self.key)
        let intents = try IntentSet(configuration, sources: HandlerSources())
        let anchors = configuration.anchors
        try FileManager.default.createDirectory(atPath: anchors, withIntermediateDirectories: true)
        let changes = try DirectoryChanges(of: anchors)
        try await LogAccess.start(configuration, listen: nil)
            .use { log in
                let assembly = try await Assembly.make(configuration, log: log, intents: intents, creatingTopics: true)
                let services = try assembly.services(WorkerRole.allCases, name: "test", lanes: 1, isScripted: false)
                try await assembly.run(services)
                    .during {
                        try await changes.until { try AnchorFiles.last(in: anchors)?.number ?? 0 >= 3 }
                    }
                let all = try AnchorFiles.read(anchors)
                #expect(all.compactMap(\.number) == Array(1...all.count))
                #expect(all.allSatisfy { $0.signatureCheck == .signed(publicKey) })
                #expect(zip(all, all.dropFirst()).allSatisfy { $0.digest == $1.previous && $1.at - $0.at >= 1_000 })
                let options = ["--data", configuration.data.path, "--anchor", anchors, "--log-level", "critical"]
                let verify = ["audit", "verify"] + options
                #expect(await RootCommand.run(verify + ["--public-key", publicKey.description]) == 0)
                #expect(await RootCommand.run(verify + ["--public-key", SigningKey().publicKey.description]) == 1)
                #expect(await RootCommand.run(verify) == 0)
                try FileManager.default.removeItem(atPath: anchors + "/anchor-00000002.json")
                #expect(await RootCommand.run(verify) == 0)
                // The next one follows the last existing one, and replaces none.
                let next = try AnchorFiles.add(#require(all.last), to: self.directory.file("elsewhere"))
                #expect(throws: OperationError.self) {
                    _ = try AnchorFiles.add(#require(all.last), to: self.directory.file("elsewhere"))
                }
                #expect(try AnchorFiles.read(next) == [try #require(all.last)])
            }
    }

    @Test("A schedule without a key is refused", .timeLimit(.minutes(1)))
    func refusesScheduleWithoutKey() async throws {
        let configuration = self.configuration(anchorEvery: .seconds(1))
        let intents = try IntentSet(configuration, sources: HandlerSources())
        let failure = await #expect(throws: OperationError.self) {
            try await LogAccess.start(configuration, listen: nil)
                .use { log in
                    _ = try await Assembly.make(configuration, log: log, intents: intents, creatingTopics: true)
                }
        }
        #expect(failure?.code == .configuration)
        #expect(failure?.message.contains("audit key --make") == true)
    }
}
