import Foundation
import IntentKit
import Testing

@testable import IntentCommands

@Suite("The same conversations with a service in Python and with a handler in Swift", .timeLimit(.minutes(2)))
struct LunchTests {
    private static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    private static let example = Self.root.appending(path: "Tests/Examples/PythonService")
    private static let scenarios = Self.example.appending(path: "lunch.jsonl").path
    private static let hasPython = FileManager.default.isExecutableFile(atPath: "/usr/bin/python3")

    @Test("In Swift they end as they should")
    func swift() async throws {
        let sources = HandlerSources(own: [OrderLunchHandler.lunches], includesBuiltIn: false)
        let status = await HandlerSources.$current.withValue(sources) {
            await RootCommand.run(["test", Self.scenarios])
        }
        #expect(status == 0)
    }

    @Test("In Python too, and the service stands every check", .enabled(if: Self.hasPython))
    func python() async throws {
        let directory = try TemporaryDirectory()
        let port = try Self.freePort()
        let yaml = try String(contentsOf: Self.example.appending(path: "lunch.yaml"), encoding: .utf8)
        let definition = try directory.write(yaml.replacing("8000", with: "\(port)"), to: "lunch.yaml")
        let service = Process()
        service.executableURL = URL(filePath: "/usr/bin/python3")
        service.arguments = [Self.example.appending(path: "lunch.py").path, "\(port)", directory.file("lunch.db")]
        service.standardError = FileHandle.nullDevice
        try service.run()
        // Milder signals are blocked in what is started from one of dispatch's threads.
        defer { kill(service.processIdentifier, SIGKILL) }
        let check = ["service", "check", "--definitions", definition, "--value", "restaurant=Luigi", "--value"]
        while await RootCommand.run(check + ["dishes=salad", "--no-handle"]) == ExitStatus.unavailable.rawValue {
            // It is starting: the next try takes its time to find that nobody is there yet.
            await Task.yield()
        }
        #expect(await RootCommand.run(check + ["dishes=salad"]) == 0)
        #expect(await RootCommand.run(["test", Self.scenarios, "--definitions", definition]) == 0)
        #expect(await RootCommand.run(["config", "check", "--definitions", definition]) == 0)
    }

    @Test("The README shows the service and its definition, line for line")
    func readme() throws {
        let readme = try String(contentsOf: Self.root.appending(path: "README.md"), encoding: .utf8)
        for (file, language) in [("lunch.py", "python"), ("lunch.yaml", "yaml")] {
            let text = try String(contentsOf: Self.example.appending(path: file), encoding: .utf8)
            #expect(readme.contains("```\(language)\n\(text)```\n"), "README.md does not show all of \(file)")
        }
    }

    @Test("What cannot be checked is said: no service, no such intent or parameter, no address, nobody there")
    func mistakes() async throws {
        let directory = try TemporaryDirectory()
        let port = try Self.freePort()
        let served = "{name: NAME, handler: {service: {url: \"http://127.0.0.1:\(port)\"}}}"
        let two = try directory.write(
            "intents:\n  - \(served.replacing("NAME", with: "A"))\n  - \(served.replacing("NAME", with: "B"))\n",
            to: "two.yaml"
        )
        let none = try directory.write("name: C\n", to: "none.yaml")
        let secret = try directory.write(
            "name: D\nhandler: {service: {url: \"http://127.0.0.1:\(port)\", headers: {X: {env: INTENTD_NOT_SET}}}}\n",
            to: "secret.yaml"
        )
        let usage = ExitStatus.usage.rawValue
        for (arguments, status) in [
            (["--definitions", none], usage), (["--definitions", two], usage),
            (["--definitions", two, "--intent", "E"], usage),
            (["--definitions", two, "--intent", "A", "--value", "p=1"], usage),
            (["--definitions", two, "--intent", "A", "--value", "p"], usage),
            (["ftp://x", "--definitions", two], usage),
            (["--definitions", secret], ExitStatus.configuration.rawValue),
            (["--definitions", two, "--intent", "A"], ExitStatus.unavailable.rawValue),
        ] {
            #expect(await RootCommand.run(["service", "check"] + arguments) == status, "\(arguments)")
        }
    }

    /// A port that nobody listens on.
    private static func freePort() throws -> Int {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        return try withUnsafeMutablePointer(to: &address) { pointer in
            try pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                try #require(bind(descriptor, pointer, length) == 0)
                try #require(getsockname(descriptor, pointer, &length) == 0)
            }
            return Int(UInt16(bigEndian: pointer.pointee.sin_port))
        }
    }
}
