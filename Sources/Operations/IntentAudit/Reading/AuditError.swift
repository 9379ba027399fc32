package import IntentKit

/// The reason why an audit cannot be done: not a finding, but something without which nothing can be found.
package typealias AuditError = CodedError<AuditErrorCode>

package enum AuditErrorCode: ErrorCode {
    package static let errorName = "AuditError"

    /// Retention has removed a part of the requested range (R43).
    case cutByRetention
    /// Interaction, turn or partition not found.
    case notFound
    /// The topics do not return all the records that their offsets promise.
    case incomplete
    /// A file that is not in one of intentd's formats.
    case badData
}
