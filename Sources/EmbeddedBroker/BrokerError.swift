/// Why the embedded broker could not start or go on.
package struct BrokerError: Error, CustomStringConvertible {
    /// What kind of trouble it is.
    package var code: Code
    /// What happened, for the operator.
    package var message: String

    /// Kinds of trouble; more may come.
    package struct Code: Sendable, Hashable {
        private let name: String

        /// The port cannot be bound.
        package static let bind = Code(name: "bind")
        /// Another process holds the data directory.
        package static let locked = Code(name: "locked")
        /// The data directory or the database in it cannot be used.
        package static let storage = Code(name: "storage")
    }

    /// The message.
    package var description: String { self.message }
}
