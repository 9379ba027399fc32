/// A property of librdkafka that the configuration sets, under `kafka:`.
struct KafkaProperty: Hashable, Sendable {
    /// Where its value is.
    enum Source: Hashable, Sendable {
        /// In the configuration itself.
        case literal
        /// In an environment variable.
        case environment(String)
        /// In a file; its last newline does not count.
        case file(String)
    }

    /// librdkafka's name for it.
    var name: String
    /// The value; never shown or logged unless ``shown`` does.
    var value: String
    /// Where the value is.
    var source: Source
    /// Where the property is set.
    var origin: ValueOrigin

    /// What people may see of the value: nothing of secrets (R52).
    var shown: String {
        switch self.source {
        case .environment(let name): "(from environment \(name))"
        case .file(let path): "(from file \(path))"
        case .literal: Self.isSecret(self.name) ? "(hidden)" : self.value
        }
    }

    /// Whether a property of that name holds a secret.
    static func isSecret(_ name: String) -> Bool {
        ["password", "secret", "token", "key.pem", "jaas", "assertion", ".key"]
            .contains {
                name.lowercased().contains($0)
            }
    }
}
