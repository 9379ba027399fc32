internal import EmbeddedBroker
internal import IntentAudit
internal import IntentKit
internal import IntentRecords
internal import IntentRuntime

extension OperationError {
    /// Translates an error of another module; nil for one that no operation reports, such as those of the command line.
    package init?(_ error: any Error) {
        switch error {
        case let failure as OperationError: self = failure
        case let error as LogError: self.init(Self.code(of: error.code), error.message)
        case let error as DeploymentError: self.init(.configuration, error.description)
        case let error as IntentRegistry.ConfigurationError: self.init(.configuration, error.description)
        case let error as BrokerError: self.init(.unavailable, error.message)
        case let error as RecordingError: self.init(Self.code(of: error.code), error.message)
        case let error as AuditError: self.init(Self.code(of: error.code), error.message)
        case let error as StoreError: self.init(Self.code(of: error.code), error.message)
        case let error as StoreBusyError: self.init(.unavailable, error.description)
        case is CancellationError: self.init(.unavailable, "interrupted")
        default: return nil
        }
    }

    private static func code(of code: LogError.Code) -> Code {
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

    private static func code(of code: RecordingErrorCode) -> Code {
        switch code {
        case .unavailable, .fenced, .incomplete: .unavailable
        case .unknownTopic: .configuration
        case .cutByRetention: .noInput
        }
    }

    private static func code(of code: AuditErrorCode) -> Code {
        switch code {
        case .cutByRetention, .notFound: .noInput
        case .incomplete: .unavailable
        case .badData: .badData
        }
    }

    private static func code(of code: StoreErrorCode) -> Code {
        switch code {
        case .file: .noInput
        case .damaged: .badData
        case .migration, .newer, .settings: .configuration
        default: .internalError
        }
    }
}
