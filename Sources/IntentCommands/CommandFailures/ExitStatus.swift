/// How intentd's commands end (R49): the numbers of `sysexits.h`.
enum ExitStatus: Int32, Sendable {
    /// All is well.
    case success = 0
    /// What was to be checked does not hold.
    case checkFailed = 1
    /// The command line is wrong.
    case usage = 64
    /// The data are wrong.
    case badData = 65
    /// There is no such input.
    case noInput = 66
    /// A service that is needed does not answer, or another process holds what is needed.
    case unavailable = 69
    /// intentd itself has failed.
    case internalError = 70
    /// The configuration, the topics or the store do not fit.
    case configuration = 78
    /// Ctrl-C ended it: what shells expect of it.
    case interrupted = 130
}
