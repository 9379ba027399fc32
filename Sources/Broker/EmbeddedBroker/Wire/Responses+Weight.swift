import NIOCore

// Responses that can be much larger than their requests.

extension FetchResponse {
    /// The records, and the fields beside them.
    var weight: Int {
        self.responses.reduce(512) { sum, topic in
            topic.partitions.reduce(sum) { sum, partition in
                sum + partition.byteCount + 64 + 16 * (partition.abortedTransactions?.count ?? 0)
            }
        }
    }
}

extension FetchResponse.Topic.Partition {
    var byteCount: Int { self.records.reduce(0) { $0 + $1.readableBytes } }
}

extension MetadataResponse {
    var weight: Int { self.topics.reduce(512) { $0 + 64 + 160 * $1.partitions.count } }
}

extension DescribeGroupsResponse {
    var weight: Int {
        self.groups.reduce(512) { sum, group in
            group.members.reduce(sum + 128) {
                $0 + 256 + $1.memberMetadata.readableBytes + $1.memberAssignment.readableBytes
            }
        }
    }
}

extension ListGroupsResponse {
    var weight: Int { 512 + 128 * self.groups.count }
}

extension JoinGroupResponse {
    var weight: Int { self.members.reduce(512) { $0 + 128 + $1.metadata.readableBytes } }
}

extension SyncGroupResponse {
    var weight: Int { 512 + self.assignment.readableBytes }
}

extension OffsetFetchResponse {
    var weight: Int {
        let groups = self.groups.reduce(0) { sum, group in
            group.topics.reduce(sum + 64) { sum, topic in
                topic.partitions.reduce(sum + 64) { $0 + 64 + ($1.metadata?.utf8.count ?? 0) }
            }
        }
        return self.topics.reduce(512 + groups) { sum, topic in
            topic.partitions.reduce(sum + 64) { $0 + 64 + ($1.metadata?.utf8.count ?? 0) }
        }
    }
}

extension DescribeConfigsResponse {
    var weight: Int { self.results.reduce(512) { $0 + 64 + 128 * $1.configs.count } }
}

extension CreateTopicsResponse {
    var weight: Int { self.topics.reduce(512) { $0 + 64 + 96 * ($1.configs?.count ?? 0) } }
}

extension ProduceResponse {
    var weight: Int { self.responses.reduce(512) { $0 + 64 + 128 * $1.partitions.count } }
}

extension DescribeProducersResponse {
    var weight: Int {
        self.topics.reduce(512) { $1.partitions.reduce($0 + 64) { $0 + 64 + 64 * $1.activeProducers.count } }
    }
}

extension DescribeTransactionsResponse {
    var weight: Int {
        self.transactionStates.reduce(512) { $1.topics.reduce($0 + 128) { $0 + 64 + 8 * $1.partitions.count } }
    }
}

extension ListTransactionsResponse {
    var weight: Int { 512 + 128 * self.transactionStates.count }
}
