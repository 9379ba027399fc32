/// The kinds of failure of a ``CodedError`` that a caller can act on.
package protocol ErrorCode: Hashable, Sendable {
    /// The error's name in telemetry and dead letters.
    static var errorName: String { get }
}

/// An error with a code for callers and a message for operators.
package struct CodedError<Code: ErrorCode>: Error, Hashable, CustomStringConvertible {
    package var code: Code
    /// What happened, and what would help.
    package var message: String

    package init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    package var description: String { "\(self.message) (\(self.code))" }
}

private protocol NamedError: Error {
    static var name: String { get }
}

extension CodedError: NamedError {
    fileprivate static var name: String { Code.errorName }
}

extension Error {
    /// The name of the error's type, for telemetry and dead letters.
    package var typeName: String {
        // As `Any`: an existential error conforms to `Error` itself, and would be named that.
        let type = type(of: self as Any)
        return (type as? any NamedError.Type)?.name ?? String(describing: type)
    }
}
