import CRDKafka
import IntentEvents
import IntentRuntime

extension AccessRule {
    /// The number of the resource type "transactional id", which librdkafka's header names since 2.6.
    private static let transactionalIDType = rd_kafka_ResourceType_t(5)

    /// Makes librdkafka's form of the rule, which the caller owns.
    /// - Returns: Nil when this librdkafka refuses it; then `message` gives the reason.
    func makeBinding(_ message: inout ErrorText) -> OpaquePointer? {
        let type =
            switch self.resource {
            case .topic: RD_KAFKA_RESOURCE_TOPIC
            case .group: RD_KAFKA_RESOURCE_GROUP
            case .transactionalID: Self.transactionalIDType
            case .cluster: RD_KAFKA_RESOURCE_BROKER
            }
        let operation =
            switch self.operation {
            case .read: RD_KAFKA_ACL_OPERATION_READ
            case .write: RD_KAFKA_ACL_OPERATION_WRITE
            case .create: RD_KAFKA_ACL_OPERATION_CREATE
            case .describe: RD_KAFKA_ACL_OPERATION_DESCRIBE
            case .describeConfigs: RD_KAFKA_ACL_OPERATION_DESCRIBE_CONFIGS
            case .idempotentWrite: RD_KAFKA_ACL_OPERATION_IDEMPOTENT_WRITE
            }
        return rd_kafka_AclBinding_new(
            type,
            self.name.text,
            self.isPrefix ? RD_KAFKA_RESOURCE_PATTERN_PREFIXED : RD_KAFKA_RESOURCE_PATTERN_LITERAL,
            self.principal.text,
            "*",
            operation,
            RD_KAFKA_ACL_PERMISSION_TYPE_ALLOW,
            &message.bytes,
            message.bytes.count
        )
    }

    /// Frees what ``makeBinding(_:)`` made.
    static func free(_ binding: OpaquePointer?) {
        rd_kafka_AclBinding_destroy(binding)
    }

    /// Reads librdkafka's form of a rule; nil for a rule that denies, is limited to one host, or has another resource.
    init?(binding: OpaquePointer?) {
        guard let binding, rd_kafka_AclBinding_permission_type(binding) == RD_KAFKA_ACL_PERMISSION_TYPE_ALLOW,
            String(cString: rd_kafka_AclBinding_host(binding)) == "*"
        else { return nil }
        let operation: Operation
        switch rd_kafka_AclBinding_operation(binding) {
        case RD_KAFKA_ACL_OPERATION_READ: operation = .read
        case RD_KAFKA_ACL_OPERATION_WRITE: operation = .write
        case RD_KAFKA_ACL_OPERATION_CREATE: operation = .create
        case RD_KAFKA_ACL_OPERATION_DESCRIBE: operation = .describe
        case RD_KAFKA_ACL_OPERATION_DESCRIBE_CONFIGS: operation = .describeConfigs
        case RD_KAFKA_ACL_OPERATION_IDEMPOTENT_WRITE: operation = .idempotentWrite
        default: return nil
        }
        let resource: Resource
        switch rd_kafka_AclBinding_restype(binding) {
        case RD_KAFKA_RESOURCE_TOPIC: resource = .topic
        case RD_KAFKA_RESOURCE_GROUP: resource = .group
        case RD_KAFKA_RESOURCE_BROKER: resource = .cluster
        case Self.transactionalIDType: resource = .transactionalID
        // librdkafka before 2.6 has no name for transactional ids, and everything else without a name cannot be written
        // to.
        case RD_KAFKA_RESOURCE_UNKNOWN where operation == .write: resource = .transactionalID
        default: return nil
        }
        let isPrefix: Bool
        switch rd_kafka_AclBinding_resource_pattern_type(binding) {
        case RD_KAFKA_RESOURCE_PATTERN_LITERAL: isPrefix = false
        case RD_KAFKA_RESOURCE_PATTERN_PREFIXED: isPrefix = true
        default: return nil
        }
        self.init(
            PrincipalName(String(cString: rd_kafka_AclBinding_principal(binding))),
            operation,
            resource,
            ResourceName(String(cString: rd_kafka_AclBinding_name(binding))),
            isPrefix: isPrefix
        )
    }
}
