import Foundation
import IntentEvents
import IntentKit
import IntentLab
import Logging
import Testing

@testable import IntentOperations

@Suite("Names, addresses and modes of a data directory")
struct DataDirectoryTests {
    private let directory: TemporaryDirectory
    private let data: DataDirectory

    init() throws {
        self.directory = try TemporaryDirectory()
        self.data = DataDirectory(path: self.directory.path)
    }

    @Test("Workers side by side claim the lowest free index each, and release it")
    func workersClaimLowestFreeIndex() throws {
        let first = try WorkerName.claim(in: self.data, host: "h")
        do {
            let second = try WorkerName.claim(in: self.data, host: "h")
            #expect([first.text, second.text] == ["h-0", "h-1"])
            withExtendedLifetime(second) {}
        }
        #expect(try WorkerName.claim(in: self.data, host: "h").text == "h-1")
        withExtendedLifetime(first) {}
    }

    @Test("A given name can be claimed by one worker only")
    func givenNameBelongsToOneWorker() throws {
        let name = try WorkerName.claim("blue", in: self.data)
        let failure = try #require(throws: OperationError.self) { try WorkerName.claim("blue", in: self.data) }
        #expect(failure.code == .unavailable)
        #expect(failure.message.contains("process \(getpid())"))
        for bad in ["", "a/b", "a b", "ü", String(repeating: "a", count: 101)] {
            #expect(throws: OperationError.self) { try WorkerName.claim(bad, in: self.data) }
        }
        withExtendedLifetime(name) {}
    }

    @Test("A process is registered with its address as long as it holds its worker's name, and the query takes no lock")
    func processIsRegisteredWhileItHoldsItsName() throws {
        let process = RunningProcess(
            worker: "blue",
            roles: [.handle, .record],
            lanes: 2,
            monitoring: BrokerAddress(host: "127.0.0.1", port: 9464),
            configuration: Configuration()
        )
        do {
            let name = try WorkerName.claim("blue", in: self.data)
            #expect(RunningProcess.all(in: self.data).isEmpty, "It has not registered yet.")
            name.register(process)
            #expect(RunningProcess.all(in: self.data) == [process])
            #expect(process.isHere)
            let other = try WorkerName.claim("green", in: self.data)
            #expect(RunningProcess.all(in: self.data) == [process])
            withExtendedLifetime((name, other)) {}
        }
        // The file is still there, as after a kill.
        #expect(!self.data.processLocks.isEmpty)
        #expect(RunningProcess.all(in: self.data).isEmpty)
        let again = try WorkerName.claim("blue", in: self.data)
        #expect(RunningProcess.all(in: self.data).isEmpty, "The note of the previous process does not count.")
        let gateway = try GatewayFile.claim(in: self.data)
        #expect(gateway.name == "gateway-0")
        var door = RunningProcess(
            worker: gateway.name,
            roles: [],
            lanes: 0,
            monitoring: nil,
            configuration: Configuration()
        )
        door.settings["prefix"] = "doors"
        gateway.register(door)
        #expect(RunningProcess.all(in: self.data) == [door])
        #expect(door.task == "gateway" && door.kind == .gateway)
        withExtendedLifetime((again, gateway)) {}
    }

    @Test("A worker whose roles only a newer version knows is no gateway, and its roles are named")
    func namesUnknownRoles() throws {
        let process = RunningProcess(
            worker: "blue",
            roles: [.record],
            lanes: 1,
            monitoring: nil,
            configuration: Configuration()
        )
        let newer = process.entry.replacing("\"record\"", with: "\"index\"")
        let read = try #require(RunningProcess(json: try JSONValue(parsing: Array(newer.utf8))))
        #expect(read.kind == .worker && read.task == "index")
        let bare = process.entry.replacing("\"record\"", with: "")
        #expect(RunningProcess(json: try JSONValue(parsing: Array(bare.utf8)))?.kind == .worker)
    }

    @Test("Settings with which a process runs are compared with the configuration's, except its addresses")
    func comparesSettingsOfProcess() {
        var configuration = Configuration()
        var settings = Dictionary(configuration.shownSettings.map { ($0.key, $0.text) }) { $1 }
        settings["monitoring.listen"] = "127.0.0.1:1"
        func differences() -> [String] {
            var process = RunningProcess(
                worker: "w",
                roles: [],
                lanes: 1,
                monitoring: nil,
                configuration: configuration
            )
            process.settings = settings
            return configuration.differences(from: process).map { "\($0.key): \($0.running), \($0.here)" }
        }
        #expect(differences() == [])
        configuration.values[Setting.promptsMaxAttempts.key] = .init(value: .integer(9), origin: .byDefault)
        #expect(differences() == ["prompts.maxAttempts: \(Configuration().integer(.promptsMaxAttempts)), 9"])
    }

    @Test("A broker publishes its address for others to find, and removes it")
    func brokerPublishesAndRemovesAddress() async throws {
        #expect(BrokerHost.recordedAddress(self.data) == nil)
        let logger = ReadableLogHandler.logger("test", level: .critical)
        let host = try await BrokerHost.start(self.data, listen: .anyLoopbackPort, logger: logger)
        #expect(BrokerHost.recordedAddress(self.data) == host.address)
        #expect(host.address.isReachable)
        var configuration = Configuration()
        configuration.values[Setting.data.key] = .init(value: .text(self.data.path), origin: .commandLine("--data"))
        #expect(try LogAccess.find(configuration).brokers == [host.address.description])
        let second = await #expect(throws: OperationError.self) {
            _ = try await BrokerHost.start(self.data, listen: .anyLoopbackPort, logger: logger)
        }
        #expect(second?.code == .unavailable)
        #expect(second?.message.contains("process \(getpid())") == true)
        let other = DataDirectory(path: self.directory.file("other"))
        let taken = await #expect(throws: OperationError.self) {
            _ = try await BrokerHost.start(other, listen: host.address, logger: logger)
        }
        #expect(taken?.code == .unavailable)
        await host.shutdown()
        #expect(BrokerHost.recordedAddress(self.data) == nil)
        // A process that another test starts at this moment shares the socket until its own program begins.
        try await eventually(within: .seconds(10)) { !host.address.isReachable }
    }

    @Test("Data at rest is readable by its user only, while everything runs and afterwards", .timeLimit(.minutes(1)))
    func dataFilesArePrivate() async throws {
        let data = DataDirectory(path: self.directory.file("var"))
        var configuration = Configuration()
        configuration.values[Setting.samples.key] = .init(value: .text("true"), origin: .byDefault)
        configuration.values[Setting.data.key] = .init(value: .text(data.path), origin: .byDefault)
        configuration.values[Setting.logLevel.key] = .init(value: .text("critical"), origin: .byDefault)
        let intents = try IntentSet(configuration, sources: .intentd)
        for isAgain in [false, true] {
            try await LogAccess.start(configuration, listen: nil)
                .use { log in
                    let assembly = try await Assembly.make(
                        configuration,
                        log: log,
                        intents: intents,
                        creatingTopics: true
                    )
                    let services = try assembly.services(WorkerRole.allCases, name: "test", lanes: 1, isScripted: false)
                    try await assembly.run(services)
                        .during {
                            let files = ["broker.sqlite", "store.sqlite", "records.sqlite-wal", "records.sqlite-shm"]
                            try await DirectoryChanges(of: data.path)
                                .until {
                                    files.allSatisfy { FileManager.default.fileExists(atPath: data.path + "/" + $0) }
                                }
                            try Self.expectPrivate(data.path, isAgain)
                        }
                }
            try Self.expectPrivate(data.path, isAgain)
            // As an earlier intentd, or a copy, leaves them; the directory itself may contain other things.
            for name in try FileManager.default.contentsOfDirectory(atPath: data.path) {
                #expect(chmod(data.path + "/" + name, 0o644) == 0)
            }
            #expect(FileManager.default.createFile(atPath: data.path + "/notes.txt", contents: nil))
            #expect(chmod(data.path + "/notes.txt", 0o644) == 0)
        }
    }

    private static func expectPrivate(_ path: String, _ isAgain: Bool) throws {
        func mode(_ path: String) throws -> Int {
            try #require(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int)
        }
        #expect(try mode(path) == 0o700)
        for name in try FileManager.default.contentsOfDirectory(atPath: path) {
            #expect(try mode(path + "/" + name) == (name == "notes.txt" ? 0o644 : 0o600), "\(name), \(isAgain)")
        }
    }

    @Test("A directory that others can read is restricted unless it contains something else")
    func restrictsOwnDirectory() throws {
        let logger = ReadableLogHandler.logger("test", level: .critical)
        func mode(after name: String) throws -> Int? {
            #expect(FileManager.default.createFile(atPath: self.data.path + "/" + name, contents: nil))
            #expect(chmod(self.data.path, 0o755) == 0)
            try self.data.create(logger)
            return try FileManager.default.attributesOfItem(atPath: self.data.path)[.posixPermissions] as? Int
        }
        try self.data.create(logger)
        #expect(try mode(after: "records.sqlite") == 0o700)
        #expect(try mode(after: "notes.txt") == 0o755)
    }

    @Test("A file that a command writes on request gets the mode of the user's umask")
    func outputFilesFollowUmask() throws {
        try self.data.create(ReadableLogHandler.logger("test", level: .critical))
        let path = self.directory.file("report.json")
        try OutputFile.write("{}", to: path)
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == Int(PrivateFiles.outputMode))
        #expect(PrivateFiles.outputMode & 0o400 != 0)
    }

    @Test("An address that a killed broker left is not trusted")
    func addressOfKilledBrokerIsNotTrusted() throws {
        _ = try self.directory.write("127.0.0.1:1\n", to: "broker.address")
        var configuration = Configuration()
        configuration.values[Setting.data.key] = .init(value: .text(self.data.path), origin: .commandLine("--data"))
        let failure = try #require(throws: OperationError.self) { try LogAccess.find(configuration) }
        #expect(failure.code == .unavailable)
        #expect(failure.message.contains("127.0.0.1:1"))
        #expect(failure.message.contains("intentd up"))
    }

    @Test(
        "An address is a host and a port",
        arguments: [
            ("localhost:9092", "localhost", 9092), ("[::1]:1", "::1", 1), ("a.example:0", "a.example", 0),
        ]
    )
    func acceptsHostAndPort(text: String, host: String, port: Int) {
        #expect(BrokerAddress(text) == BrokerAddress(host: host, port: port))
        #expect(BrokerAddress(text)?.description == text)
    }

    @Test(
        "Anything else is refused as an address",
        arguments: ["", "localhost", ":1", "a:", "a:b", "a:65536", "::1:1", "a b:1"]
    )
    func refusesOtherAddresses(text: String) {
        #expect(BrokerAddress(text) == nil)
    }
}
