package import IntentEvents

/// A permission on a log: an entry of an access-control list, in Kafka's terms.
package struct AccessRule: Hashable, Sendable {
    /// The kind of resource; Kafka's words.
    package enum Resource: String, Sendable, CaseIterable {
        case topic
        case group
        case transactionalID = "transactional-id"
        case cluster
    }

    /// The operation that is allowed; Kafka's words.
    package enum Operation: String, Sendable, CaseIterable {
        /// Reading a topic, or being a member of a group.
        case read
        /// Writing to a topic, or under a transactional id.
        case write
        case create
        /// Describing it; reading or writing includes this.
        case describe
        case describeConfigs = "describe-configs"
        /// Idempotent writing without a transactional id (brokers before 3.0 require it).
        case idempotentWrite = "idempotent-write"
    }

    /// The principal, `User:name`; a certificate's whole name is one, too.
    package var principal: PrincipalName
    package var resource: Resource
    /// Its name, or a prefix of names.
    package var name: ResourceName
    /// Whether the name is a prefix.
    package var isPrefix: Bool
    package var operation: Operation

    /// The name by which Kafka knows the cluster.
    package static let clusterName: ResourceName = "kafka-cluster"

    /// Allows something from every host.
    package init(
        _ principal: PrincipalName,
        _ operation: Operation,
        _ resource: Resource,
        _ name: ResourceName,
        isPrefix: Bool = false
    ) {
        self.principal = principal
        self.resource = resource
        self.name = name
        self.isPrefix = isPrefix
        self.operation = operation
    }
}
