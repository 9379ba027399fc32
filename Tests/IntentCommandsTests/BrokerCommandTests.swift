import Foundation
import IntentLab
import Testing

@testable import IntentCommands
@testable import IntentOperations

/// In a process of its own, since a signal stops a whole process.
@Suite("`broker`: the embedded broker alone", .timeLimit(.minutes(1)))
struct BrokerCommandTests {
    @Test("It serves until a signal stops it, and then removes its address file")
    func runsUntilSignalledAndRemovesAddress() async throws {
        let directory = try TemporaryDirectory()
        await #expect(processExitsWith: .exitCode(0)) { [path = directory.path as String] in
            let (output, continuation) = AsyncStream.makeStream(of: String.self)
            let command = Task {
                let status = await StandardOutput.$receiver.withValue({ continuation.yield($0) }) {
                    let words = ["broker", "--data", path, "--listen", "127.0.0.1:0", "--log-level", "critical"]
                    return await RootCommand.run(words)
                }
                continuation.finish()
                return status
            }
            // There is no line if the command ends by itself.
            let line = await output.first { _ in true }
            let address = try #require(BrokerHost.recordedAddress(DataDirectory(path: path)))
            #expect(line == "Embedded broker on \(address). Ctrl-C stops it.\n")
            #expect(address.isReachable)
            kill(getpid(), SIGTERM)
            exit(await command.value)
        }
        #expect(BrokerHost.recordedAddress(DataDirectory(path: directory.path)) == nil)
    }
}
