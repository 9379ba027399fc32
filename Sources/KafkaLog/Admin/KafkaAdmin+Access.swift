import CRDKafka
import IntentEvents
import IntentRuntime

extension KafkaAdmin {
    /// Finds out whether the broker holds anybody to rules, and whether this client may make some.
    ///
    /// The answer to a question about rules has an error for that, but librdkafka passes over it and tells of no rules.
    /// It does tell what becomes of a rule that is to be made, so one is sent that no Kafka takes, because it is about
    /// a topic without a name; and who is nobody would be forbidden what nobody can do, if one took it all the same.
    /// - Throws: ``LogError``, `noAuthorizer`, `notAuthorized`, `unavailable`.
    func checkAuthorizer() throws(LogError) {
        var message = ErrorText()
        let binding = rd_kafka_AclBinding_new(
            RD_KAFKA_RESOURCE_TOPIC,
            "",
            RD_KAFKA_RESOURCE_PATTERN_LITERAL,
            "User:",
            "*",
            RD_KAFKA_ACL_OPERATION_DESCRIBE,
            RD_KAFKA_ACL_PERMISSION_TYPE_DENY,
            &message.bytes,
            message.bytes.count
        )
        guard binding != nil else {
            throw LogError(.other, "asking whether there is an authorizer: \(message.string)")
        }
        defer { AccessRule.free(binding) }
        let codes = try self.create([binding])
        guard let code = codes.first, code != RD_KAFKA_RESP_ERR_INVALID_REQUEST, !code.isSuccess else { return }
        throw Self.explained(try self.client().failure(code, "asking whether there is an authorizer"))
    }

    /// The rules that allow something from every host; only who may make rules is told them.
    /// - Throws: ``LogError``, `noAuthorizer`, `notAuthorized`, `unavailable`.
    func accessRules() throws(LogError) -> Set<AccessRule> {
        try self.checkAuthorizer()
        let client = try self.client()
        var message = ErrorText()
        guard
            let filter = rd_kafka_AclBindingFilter_new(
                RD_KAFKA_RESOURCE_ANY,
                nil,
                RD_KAFKA_RESOURCE_PATTERN_ANY,
                nil,
                nil,
                RD_KAFKA_ACL_OPERATION_ANY,
                RD_KAFKA_ACL_PERMISSION_TYPE_ANY,
                &message.bytes,
                message.bytes.count
            )
        else {
            throw LogError(.other, "asking for access rules: \(message.string)")
        }
        defer { AccessRule.free(filter) }
        return try AdminCall(client: client, timeout: self.timeout)(
            RD_KAFKA_ADMIN_OP_DESCRIBEACLS,
            "asking for access rules",
            send: { options, queue in rd_kafka_DescribeAcls(client.handle, filter, options, queue) },
            receive: { event throws(LogError) in
                var count = 0
                guard let result = rd_kafka_event_DescribeAcls_result(event),
                    let bindings = rd_kafka_DescribeAcls_result_acls(result, &count)
                else { return [] }
                return Set(UnsafeBufferPointer(start: bindings, count: count).compactMap(AccessRule.init(binding:)))
            }
        )
    }

    /// Makes rules; those that exist stay as they are.
    /// - Returns: Those that this librdkafka cannot make.
    /// - Throws: ``LogError``, `noAuthorizer`, `notAuthorized`, `unavailable`.
    func createAccessRules(_ rules: [AccessRule]) throws(LogError) -> [AccessRule] {
        var bindings: [OpaquePointer?] = []
        defer { bindings.forEach(AccessRule.free) }
        var made: [AccessRule] = []
        var impossible: [AccessRule] = []
        for rule in rules {
            var message = ErrorText()
            if let binding = rule.makeBinding(&message) {
                bindings.append(binding)
                made.append(rule)
            } else if rule.resource == .transactionalID {
                // librdkafka knows transactional ids here since 2.6.
                impossible.append(rule)
            } else {
                throw LogError(.configuration, "access rule for \(rule.principal) on \(rule.name): \(message.string)")
            }
        }
        guard !bindings.isEmpty else { return impossible }
        for (rule, code) in zip(made, try self.create(bindings)) where !code.isSuccess {
            let what = "access rule for \(rule.principal) on \(rule.resource.rawValue) \(rule.name)"
            throw Self.explained(try self.client().failure(code, what))
        }
        return impossible
    }

    /// Sends rules, and returns what became of each.
    private func create(_ bindings: [OpaquePointer?]) throws(LogError) -> [rd_kafka_resp_err_t] {
        let client = try self.client()
        var bindings = bindings
        return try AdminCall(client: client, timeout: self.timeout)(
            RD_KAFKA_ADMIN_OP_CREATEACLS,
            "making access rules",
            send: { options, queue in
                rd_kafka_CreateAcls(client.handle, &bindings, bindings.count, options, queue)
            },
            receive: { event throws(LogError) in
                var count = 0
                guard let result = rd_kafka_event_CreateAcls_result(event),
                    let answers = rd_kafka_CreateAcls_result_acls(result, &count)
                else { return [] }
                return UnsafeBufferPointer(start: answers, count: count)
                    .map { rd_kafka_acl_result_error($0).map(rd_kafka_error_code) ?? RD_KAFKA_RESP_ERR_NO_ERROR }
            }
        )
    }

    /// Says what the two refusals that are to be expected mean, and what would be right.
    private static func explained(_ error: LogError) -> LogError {
        switch error.code {
        case .noAuthorizer:
            LogError(
                .noAuthorizer,
                "the broker has no authorizer: it holds nobody to any rules. Set authorizer.class.name on it "
                    + "(org.apache.kafka.metadata.authorizer.StandardAuthorizer)"
            )
        case .notAuthorized:
            LogError(
                .notAuthorized,
                "these credentials may not make access rules: that takes ALTER on the cluster (\(error.message))"
            )
        default: error
        }
    }
}
