import CRDKafka
import IntentEvents
import IntentRuntime

extension AccessRule {
    /// The number of the resource type "transactional id", which librdkafka's header names since 2.6.
    private static let transactionalIDType = rd_kafka_ResourceType_t(5)

    /// Makes librdkafka's form of the rule, which the caller owns.
    /// - Returns: Nil when this librdkafka refuses it; then `message` gives the reason.
    func makeBinding(_ message: inout ErrorText) -> OpaquePointer? {
        rd_kafka_AclBinding_new(
            Self.type(of: self.resource),
            self.name.text,
            self.isPrefix ? RD_KAFKA_RESOURCE_PATTERN_PREFIXED : RD_KAFKA_RESOURCE_PATTERN_LITERAL,
            self.principal.text,
            "*",
            Self.operation(self.operation),
            RD_KAFKA_ACL_PERMISSION_TYPE_ALLOW,
            &message.bytes,
            message.bytes.count
        )
    }

    private static func type(of resource: Resource) -> rd_kafka_ResourceType_t {
        switch resource {
        case .topic: RD_KAFKA_RESOURCE_TOPIC
        case .group: RD_KAFKA_RESOURCE_GROUP
        case .transactionalID: Self.transactionalIDType
        case .cluster: RD_KAFKA_RESOURCE_BROKER
        }
    }

    private static func operation(_ operation: Operation) -> rd_kafka_AclOperation_t {
        switch operation {
        case .read: RD_KAFKA_ACL_OPERATION_READ
        case .write: RD_KAFKA_ACL_OPERATION_WRITE
        case .create: RD_KAFKA_ACL_OPERATION_CREATE
        case .describe: RD_KAFKA_ACL_OPERATION_DESCRIBE
        case .describeConfigs: RD_KAFKA_ACL_OPERATION_DESCRIBE_CONFIGS
        case .idempotentWrite: RD_KAFKA_ACL_OPERATION_IDEMPOTENT_WRITE
        }
    }

    /// Frees what ``makeBinding(_:)`` made.
    static func free(_ binding: OpaquePointer?) { rd_kafka_AclBinding_destroy(binding) }

    /// Reads librdkafka's form of a rule; nil for a rule that denies, is limited to one host, or has another resource.
    init?(binding: OpaquePointer?) {
        guard let binding, rd_kafka_AclBinding_permission_type(binding) == RD_KAFKA_ACL_PERMISSION_TYPE_ALLOW,
            String(cString: rd_kafka_AclBinding_host(binding)) == "*",
            let operation = Operation.allCases.first(where: {
                Self.operation($0) == rd_kafka_AclBinding_operation(binding)
            })
        else { return nil }
        let type = rd_kafka_AclBinding_restype(binding)
        // librdkafka before 2.6 has no name for transactional ids, and everything else without a name cannot be written
        // to.
        let isUnnamed = type == RD_KAFKA_RESOURCE_UNKNOWN && operation == .write
        let named = isUnnamed ? .transactionalID : Resource.allCases.first { Self.type(of: $0) == type }
        guard let resource = named else { return nil }
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
