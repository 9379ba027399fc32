import CRDKafka
import IntentRuntime

extension KafkaAdmin {
    /// Finds out whether the broker has an authorizer, and whether this client may make rules.
    ///
    /// The answer to a query about rules has an error for that, but librdkafka ignores it and reports no rules. It does
    /// report the result of making a rule. So this sends a rule that no Kafka accepts, because it is about a topic
    /// without a name. Even if a broker accepted it, it would have no effect.
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
        guard binding != nil else { throw LogError(.other, "checking for an authorizer: \(message.string)") }
        defer { AccessRule.free(binding) }
        let codes = try self.create([binding])
        guard let code = codes.first, code != RD_KAFKA_RESP_ERR_INVALID_REQUEST, !code.isSuccess else { return }
        throw Self.explained(try self.client().failure(code, "checking for an authorizer"))
    }

    /// The rules that allow something from every host; only clients that may make rules can query them.
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
            throw LogError(.other, "listing ACLs: \(message.string)")
        }
        defer { AccessRule.free(filter) }
        return try AdminCall(client: client, timeout: self.timeout)(
            RD_KAFKA_ADMIN_OP_DESCRIBEACLS,
            "listing ACLs",
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

    /// Makes rules; existing ones stay as they are.
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
                throw LogError(.configuration, "ACL for \(rule.principal) on \(rule.name): \(message.string)")
            }
        }
        guard !bindings.isEmpty else { return impossible }
        for (rule, code) in zip(made, try self.create(bindings)) where !code.isSuccess {
            let what = "ACL for \(rule.principal) on \(rule.resource.rawValue) \(rule.name)"
            throw Self.explained(try self.client().failure(code, what))
        }
        return impossible
    }

    /// Sends rules, and returns the result of each.
    private func create(_ bindings: [OpaquePointer?]) throws(LogError) -> [rd_kafka_resp_err_t] {
        let client = try self.client()
        var bindings = bindings
        return try AdminCall(client: client, timeout: self.timeout)(
            RD_KAFKA_ADMIN_OP_CREATEACLS,
            "creating ACLs",
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

    /// Explains the two refusals that are to be expected, and says what would be right.
    private static func explained(_ error: LogError) -> LogError {
        switch error.code {
        case .noAuthorizer:
            LogError(
                .noAuthorizer,
                "the broker has no authorizer, so ACLs have no effect. Set authorizer.class.name on it "
                    + "(org.apache.kafka.metadata.authorizer.StandardAuthorizer)"
            )
        case .notAuthorized:
            LogError(
                .notAuthorized,
                "these credentials may not create ACLs: that requires ALTER on the cluster (\(error.message))"
            )
        default: error
        }
    }
}
