import IntentOperations

/// The exit statuses of intentd's commands (R49): the numbers of `sysexits.h`.
enum ExitStatus: Int32, Sendable {
    /// All is well.
    case success = 0
    /// A check has failed.
    case checkFailed = 1
    /// The command line is wrong.
    case usage = 64
    /// The data are wrong.
    case badData = 65
    /// Input not found.
    case noInput = 66
    /// A required service does not answer, or another process holds a required resource.
    case unavailable = 69
    /// intentd itself has failed.
    case internalError = 70
    /// The configuration, the topics or the store do not match.
    case configuration = 78
    /// Ctrl-C ended it: the status that shells expect.
    case interrupted = 130

    /// The status of a command whose operation fails like that.
    init(_ code: OperationError.Code) {
        self =
            switch code {
            case .usage: .usage
            case .badData: .badData
            case .noInput: .noInput
            case .unavailable: .unavailable
            case .internalError: .internalError
            case .configuration: .configuration
            }
    }
}
