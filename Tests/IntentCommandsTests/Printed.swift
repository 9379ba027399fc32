import Synchronization

@testable import IntentCommands
@testable import IntentOperations

/// What a command line printed, and how it ended.
struct Printed {
    var status: Int32
    var text: String
    /// What was printed on standard error.
    var errors = ""

    /// The lines of the text.
    var lines: [String] { self.text.split(separator: "\n").map(String.init) }

    /// Runs a command line in this process.
    static func by(_ arguments: [String]) async -> Printed {
        let text = Mutex("")
        let errors = Mutex("")
        let receive: @Sendable (String) -> Void = { part in text.withLock { $0 += part } }
        let receiveError: @Sendable (String) -> Void = { part in errors.withLock { $0 += part } }
        let status = await StandardOutput.$receiver.withValue(receive) {
            await StandardError.$receiver.withValue(receiveError) {
                await RootCommand.run(arguments)
            }
        }
        return Printed(status: status, text: text.withLock(\.self), errors: errors.withLock(\.self))
    }
}
