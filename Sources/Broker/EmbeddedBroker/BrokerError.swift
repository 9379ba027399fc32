/// The reason why the embedded broker could not start or continue.
package struct BrokerError: Error, CustomStringConvertible {
    package var code: Code
    /// What happened, for the operator.
    package var message: String

    /// The kinds of failure; later versions may add more.
    package struct Code: Sendable, Hashable {
        private let name: String

        /// The port cannot be bound.
        package static let bind = Code(name: "bind")
        /// Another process has locked the data directory.
        package static let locked = Code(name: "locked")
        /// The data directory or the database in it cannot be used.
        package static let storage = Code(name: "storage")
    }

    package var description: String { self.message }
}
