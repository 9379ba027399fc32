extension BrokerCore {
    /// The resource types of the configuration APIs.
    private enum ResourceType {
        static let topic: Int8 = 2
        static let broker: Int8 = 4
    }

    /// DescribeConfigs of topics and of the broker.
    func describeConfigs(_ request: DescribeConfigsRequest) -> DescribeConfigsResponse {
        var seen: Set<String> = []
        return DescribeConfigsResponse(
            results: request.resources.filter { seen.insert("\($0.resourceType) \($0.resourceName)").inserted }
                .map { resource in
                    var result = DescribeConfigsResponse.Result(
                        resourceType: resource.resourceType,
                        resourceName: resource.resourceName
                    )
                    func isWanted(_ name: String) -> Bool { resource.configurationKeys?.contains(name) ?? true }
                    switch resource.resourceType {
                    case ResourceType.topic:
                        guard let topic = self.topics[resource.resourceName] else {
                            result.errorCode = .unknownTopicOrPartition
                            return result
                        }
                        result.configs = TopicConfiguration.defaults.keys.sorted().filter(isWanted)
                            .map { name in
                                let isDefault = topic.configuration.values[name] == nil
                                return .init(
                                    name: name,
                                    value: topic.configuration.value(name),
                                    isDefault: isDefault,
                                    configSource: isDefault ? 5 : 1
                                )
                            }
                    case ResourceType.broker:
                        result.configs = self.brokerSettings.sorted { $0.key < $1.key }.filter { isWanted($0.key) }
                            .map {
                                .init(name: $0.key, value: $0.value, readOnly: true, configSource: 4)
                            }
                    default:
                        result.errorCode = .invalidRequest
                        result.errorMessage = "Only topics and brokers have settings here."
                    }
                    return result
                }
        )
    }

    private var brokerSettings: [String: String] {
        [
            "auto.create.topics.enable": String(self.configuration.autoCreateTopics),
            "default.replication.factor": "1",
            "group.initial.rebalance.delay.ms": String(self.configuration.initialRebalanceDelay.milliseconds),
            "num.partitions": String(self.configuration.defaultPartitions),
            "transaction.max.timeout.ms": String(self.configuration.maxTransactionTimeout.milliseconds),
        ]
    }

    /// AlterConfigs: settings that are not named return to their defaults.
    mutating func alterConfigs(_ request: AlterConfigsRequest) throws -> AlterConfigsResponse {
        var response = AlterConfigsResponse()
        for resource in request.resources {
            let changes = resource.configs.map { ($0.name, $0.value, Int8(0)) }
            let refusal = try self.alter(
                resource.resourceType,
                resource.resourceName,
                from: TopicConfiguration(),
                changes,
                validateOnly: request.validateOnly
            )
            response.responses.append(
                .init(
                    errorCode: refusal?.0 ?? .none,
                    errorMessage: refusal?.1,
                    resourceType: resource.resourceType,
                    resourceName: resource.resourceName
                )
            )
        }
        return response
    }

    /// IncrementalAlterConfigs: settings that are not named stay as they are (KIP-339).
    mutating func alterConfigs(
        _ request: IncrementalAlterConfigsRequest
    ) throws -> IncrementalAlterConfigsResponse {
        var response = IncrementalAlterConfigsResponse()
        for resource in request.resources {
            let changes = resource.configs.map { ($0.name, $0.value, $0.configOperation) }
            let refusal = try self.alter(
                resource.resourceType,
                resource.resourceName,
                from: self.topics[resource.resourceName]?.configuration ?? TopicConfiguration(),
                changes,
                validateOnly: request.validateOnly
            )
            response.responses.append(
                .init(
                    errorCode: refusal?.0 ?? .none,
                    errorMessage: refusal?.1,
                    resourceType: resource.resourceType,
                    resourceName: resource.resourceName
                )
            )
        }
        return response
    }

    private mutating func alter(
        _ type: Int8,
        _ name: Name,
        from start: TopicConfiguration,
        _ changes: [(name: String, value: String?, operation: Int8)],
        validateOnly: Bool
    ) throws -> (ErrorCode, String)? {
        guard type == ResourceType.topic else { return (.invalidRequest, "Only topics can be changed here.") }
        guard let topic = self.topics[name] else { return (.unknownTopicOrPartition, "No such topic.") }
        var configuration = start
        for change in changes {
            var value = change.value
            switch change.operation {
            case 0: break
            case 1: value = nil
            case 2, 3:
                guard change.name == "cleanup.policy", let item = value else {
                    return (.invalidConfig, "Only lists can be appended to.")
                }
                var list = configuration.value(change.name).split(separator: ",").map(String.init)
                list.removeAll { $0 == item }
                if change.operation == 2 { list.append(item) }
                value = list.joined(separator: ",")
            default: return (.invalidRequest, "Unknown operation \(change.operation).")
            }
            if let problem = configuration.set(change.name, to: value) { return (.invalidConfig, problem) }
        }
        guard !validateOnly else { return nil }
        try self.topics.set(configuration, of: topic)
        return nil
    }
}
