import ArgumentParser
import EmbeddedBroker
import IntentAudit
import IntentKit
import IntentRuntime
import IntentStore

extension CommandFailure {
    /// Translates an error of another module into a failure of the command; nil for errors of the command line itself,
    /// which argument-parser reports.
    init?(_ error: any Error) {
        switch error {
        case let failure as CommandFailure: self = failure
        case let error as LogError: self.init(Self.status(of: error.code), error.message)
        case let error as DeploymentError: self.init(.configuration, error.description)
        case let error as IntentRegistry.ConfigurationError: self.init(.configuration, error.description)
        case let error as BrokerError: self.init(.unavailable, error.message)
        case let error as RecordingError: self.init(Self.status(of: error.code), error.message)
        case let error as AuditError: self.init(Self.status(of: error.code), error.message)
        case let error as StoreError: self.init(Self.status(of: error.code), error.message)
        case let error as StoreBusyError: self.init(.unavailable, error.description)
        case is ExitCode, is CleanExit, is ValidationError: return nil
        case is CancellationError: self.init(.unavailable, "interrupted")
        default: return nil
        }
    }

    private static func status(of code: LogError.Code) -> ExitStatus {
        switch code {
        case .unavailable, .noProgress, .unreadable: .unavailable
        case .configuration, .notAuthorized, .noAuthorizer, .unknownTopic, .unreadableFormat, .eventsLost, .offsetsLost,
            .topicsChanged, .groupShared:
            .configuration
        case .recordTooLarge: .badData
        case .offsetOutOfRange: .noInput
        default: .internalError
        }
    }

    private static func status(of code: RecordingError.Code) -> ExitStatus {
        switch code {
        case .unavailable, .fenced, .incomplete: .unavailable
        case .unknownTopic: .configuration
        case .cutByRetention: .noInput
        default: .internalError
        }
    }

    private static func status(of code: AuditError.Code) -> ExitStatus {
        switch code {
        case .cutByRetention, .notFound: .noInput
        case .incomplete: .unavailable
        case .badData: .badData
        default: .internalError
        }
    }

    private static func status(of code: StoreError.Code) -> ExitStatus {
        switch code {
        case .file: .noInput
        case .damaged: .badData
        case .migration, .newer, .settings: .configuration
        default: .internalError
        }
    }
}
