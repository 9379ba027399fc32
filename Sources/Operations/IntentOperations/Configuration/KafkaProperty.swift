/// A property of librdkafka that the configuration sets, under `kafka:`.
package struct KafkaProperty: Hashable, Sendable {
    package enum Source: Hashable, Sendable {
        /// The configuration itself.
        case literal
        case environment(String)
        /// A file; a newline at its end is ignored.
        case file(String)
    }

    /// librdkafka's name for it.
    package var name: String
    /// The value; never shown or logged unless ``shown`` does.
    package var value: String
    package var source: Source
    /// Where the property is set.
    package var origin: ValueOrigin

    /// What people may see of the value: for a secret, only where it comes from (R52).
    package var shown: String {
        switch self.source {
        case .environment(let name): "(from environment \(name))"
        case .file(let path): "(from file \(path))"
        case .literal: Self.isSecret(self.name) ? "(hidden)" : self.value
        }
    }

    /// Whether a property of that name holds a secret.
    package static func isSecret(_ name: String) -> Bool {
        ["password", "secret", "token", "key.pem", "jaas", "assertion", ".key"]
            .contains {
                name.lowercased().contains($0)
            }
    }
}
