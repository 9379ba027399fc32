package import IntentEvents

/// Something that somebody may do on a log: an entry of an access-control list, in Kafka's terms.
package struct AccessRule: Hashable, Sendable {
    /// What kind of thing it is about; Kafka's words.
    package enum Resource: String, Sendable, CaseIterable {
        /// A topic.
        case topic
        /// A consumer group.
        case group
        /// A producer's transactional id.
        case transactionalID = "transactional-id"
        /// The cluster as a whole.
        case cluster
    }

    /// What may be done; Kafka's words.
    package enum Operation: String, Sendable, CaseIterable {
        /// Reading a topic, or being a member of a group.
        case read
        /// Writing to a topic, or under a transactional id.
        case write
        /// Making it.
        case create
        /// Being told of it; whoever may read or write may do that too.
        case describe
        /// Being told its settings.
        case describeConfigs = "describe-configs"
        /// Writing without repeats under no transactional id (brokers before 3.0 ask for it).
        case idempotentWrite = "idempotent-write"
    }

    /// Who may, `User:name`; a certificate's whole name is one, too.
    package var principal: PrincipalName
    /// The kind of thing.
    package var resource: Resource
    /// Its name, or what its name begins with.
    package var name: ResourceName
    /// Whether the name is what names begin with.
    package var isPrefix: Bool
    /// What may be done.
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
