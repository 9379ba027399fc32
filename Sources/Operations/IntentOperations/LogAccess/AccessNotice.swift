internal import IntentRuntime
internal import Logging
internal import Telemetry

/// Warns when workers start on a broker that enforces no access rights (R60).
enum AccessNotice {
    /// Asks the broker once.
    ///
    /// - Parameters:
    ///   - log: The log that workers are to work on.
    ///   - isEmbedded: Whether it is the embedded broker of this data directory, which never has an authorizer and
    ///     warns itself when it listens beyond this machine.
    ///   - logger: Logs the warning.
    static func report(on log: any EventLog, isEmbedded: Bool, logger: Logger) async {
        guard let log = log as? any AccessControlledLog else { return }
        do throws(LogError) {
            try await log.checkAuthorizer()
        } catch {
            switch error.code {
            case .noAuthorizer:
                logger.log(
                    level: isEmbedded ? .debug : .warning,
                    """
                    The broker has no authorizer: any client that reaches it can write what only workers should, such as \
                    confirmed intents. `intentd topics acls` prints the ACLs to create.
                    """
                )
            case .notAuthorized:
                // Then an authorizer decides who may do what.
                break
            default:
                logger.debug(
                    "Could not determine whether the broker has an authorizer",
                    metadata: [TelemetryKey.errorMessage: "\(error)"]
                )
            }
        }
    }
}
