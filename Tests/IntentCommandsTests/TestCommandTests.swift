import Foundation
import IntentEvents
import IntentKit
import IntentLab
import Testing

@testable import IntentCommands
@testable import IntentOperations

@Suite("intentd test", .timeLimit(.minutes(2)))
struct TestCommandTests {
    private struct TellTimeIntent: Intent {
        @Parameter var city: String?
    }

    /// Returns the time of the turn, or of the wall clock.
    private struct TellTimeHandler: IntentHandler {
        var usesWallClock: Bool

        var handling: Handling<TellTimeIntent> {
            Resolve(\.$city) { said, _ in said.map { .success(with: $0) } ?? .notRequired() }
            Handle { _, context in
                let now = self.usesWallClock ? Date() : context.now
                return IntentResponse(code: .success, details: ["time": .number(now.timeIntervalSince1970)])
            }
        }
    }

    private static let scenarios = """
        {"name":"noon","user":"anna","intent":{"name":"TellTimeIntent"},"expect":{"code":"success"}}
        {"name":"night","user":"bob","intent":{"name":"TellTimeIntent"},"expect":{"code":"success"}}

        """

    private static func run(usesWallClock: Bool, _ arguments: String...) async throws -> Printed {
        let directory = try TemporaryDirectory()
        let file = try directory.write(Self.scenarios, to: "times.jsonl")
        let clocks = IntentExtension("Clocks") {
            IntentRegistration(confirmation: .never, usesLedger: false) {
                TellTimeHandler(usesWallClock: usesWallClock)
            }
        }
        return await HandlerSources.$current.withValue(HandlerSources(own: [clocks])) {
            await Printed.by(["test", file] + arguments)
        }
    }

    /// Whether all turns of a run of two interactions in three stages are replayed, with that verdict.
    ///
    /// A turn that the machine delays has a note before it that it was parked.
    private static func isReplayOfAll(_ line: String?, _ verdict: String) -> Bool {
        (6...12).contains { line == "Replayed \($0) turns: \(verdict)" }
    }

    @Test("R42: at its end it replays every turn")
    func replaysAtItsEnd() async throws {
        let printed = try await Self.run(usesWallClock: false)
        #expect(printed.status == 0, "\(printed.text) \(printed.errors)")
        #expect(printed.lines.last == "Matched 2, Mismatched 0, ExecutionError 0")
        #expect(Self.isReplayOfAll(printed.lines.suffix(2).first, "all matched"), "\(printed.text)")
    }

    @Test("R42: a handler that reads the wall clock is found, with the scenario; --no-replay looks at results alone")
    func clockInHandlerIsFound() async throws {
        let found = try await Self.run(usesWallClock: true)
        #expect(found.status == ExitStatus.checkFailed.rawValue)
        #expect(found.text.contains(": noon (interaction "))
        #expect(found.text.contains("does not replay: Diverged"))
        #expect(Self.isReplayOfAll(found.lines.suffix(2).first, "2 did not match"), "\(found.text)")
        #expect(found.lines.last == "Matched 0, Mismatched 2, ExecutionError 0")
        let results = try await Self.run(usesWallClock: true, "--no-replay")
        #expect(results.status == 0)
        #expect(results.lines == ["Matched 2, Mismatched 0, ExecutionError 0"])
    }

    /// Takes the only seat.
    private struct TakeSeatHandler: IntentHandler {
        var handling: Handling<TellTimeIntent> {
            Handle { _, context in
                let taken = try await context.effect("take") { store in
                    try store.execute("INSERT INTO seats VALUES (1)", [])
                    return try store.query("SELECT count(*) AS number FROM seats", []).first?["number"]?.integer ?? 0
                }
                return IntentResponse(code: taken == 1 ? .success : .failure)
            }
        }

        static var seats: HandlerSources {
            let table = StoreMigration("seats", sql: "CREATE TABLE seats (number INTEGER NOT NULL)")
            return HandlerSources(own: [
                IntentExtension("Seats", migrations: [table]) {
                    IntentRegistration(confirmation: .never) { TakeSeatHandler() }
                }
            ])
        }
    }

    private static let seat = """
        {"name":"seat","user":"anna","intent":{"name":"TellTimeIntent"},"expect":{"code":"success"}}

        """

    @Test("A second run on the same --data does not see what the first run has taken", arguments: [false, true])
    func secondRunFindsNothingTaken(isNested: Bool) async throws {
        let directory = try TemporaryDirectory()
        let file = try directory.write(Self.seat, to: "seat.jsonl")
        let data = directory.file(isNested ? "runs/here" : "runs")
        for _ in 1...2 {
            let printed = await HandlerSources.$current.withValue(TakeSeatHandler.seats) {
                await Printed.by(["test", file, "--data", data])
            }
            #expect(printed.status == 0, "\(printed.text) \(printed.errors)")
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: data).count == 2)
    }

    @Test("--data names the parent of the run's directory, which is kept and named in the second to last line")
    func dataIsAParent() async throws {
        let directory = try TemporaryDirectory()
        let file = try directory.write(Self.seat, to: "seat.jsonl")
        let printed = await HandlerSources.$current.withValue(TakeSeatHandler.seats) {
            await Printed.by(["test", file, "--data", directory.path])
        }
        #expect(printed.lines.last == "Matched 1, Mismatched 0, ExecutionError 0")
        let line = try #require(printed.lines.suffix(2).first)
        let path = try #require(line.split(separator: " ").last.map(String.init))
        #expect(line == "Kept in \(path)")
        #expect(path.hasPrefix("\(directory.path)/test-"))
        #expect(path.hasSuffix("-1"))
        #expect(FileManager.default.fileExists(atPath: path + "/broker.sqlite"))
        #expect(FileManager.default.fileExists(atPath: path + "/store.sqlite"))
        #expect(!FileManager.default.fileExists(atPath: directory.file("broker.sqlite")))
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o700)
    }

    @Test("Directories of the same second have different numbers")
    func directoriesOfOneSecond() throws {
        let directory = try TemporaryDirectory()
        let time = Timestamp(milliseconds: 1_790_000_000_123)
        let names = try (1...3)
            .map { _ in try ScratchDirectory(in: directory.path, prefix: "test", at: time).path }
        #expect(names.map { $0.suffix(2) } == ["-1", "-2", "-3"])
        #expect(Set(names.map { $0.dropLast(2) }).count == 1)
    }
}
