/// One decoded request.
enum Request: Sendable {
    /// Produce.
    case produce(ProduceRequest)
    /// Fetch.
    case fetch(FetchRequest)
    /// ListOffsets.
    case listOffsets(ListOffsetsRequest)
    /// Metadata.
    case metadata(MetadataRequest)
    /// OffsetCommit.
    case offsetCommit(OffsetCommitRequest)
    /// OffsetFetch.
    case offsetFetch(OffsetFetchRequest)
    /// FindCoordinator.
    case findCoordinator(FindCoordinatorRequest)
    /// JoinGroup.
    case joinGroup(JoinGroupRequest)
    /// Heartbeat.
    case heartbeat(HeartbeatRequest)
    /// LeaveGroup.
    case leaveGroup(LeaveGroupRequest)
    /// SyncGroup.
    case syncGroup(SyncGroupRequest)
    /// DescribeGroups.
    case describeGroups(DescribeGroupsRequest)
    /// ListGroups.
    case listGroups(ListGroupsRequest)
    /// ApiVersions.
    case apiVersions(ApiVersionsRequest)
    /// CreateTopics.
    case createTopics(CreateTopicsRequest)
    /// DeleteTopics.
    case deleteTopics(DeleteTopicsRequest)
    /// DeleteRecords.
    case deleteRecords(DeleteRecordsRequest)
    /// InitProducerId.
    case initProducerID(InitProducerIDRequest)
    /// OffsetForLeaderEpoch.
    case offsetForLeaderEpoch(OffsetForLeaderEpochRequest)
    /// AddPartitionsToTxn.
    case addPartitionsToTxn(AddPartitionsToTxnRequest)
    /// AddOffsetsToTxn.
    case addOffsetsToTxn(AddOffsetsToTxnRequest)
    /// EndTxn.
    case endTxn(EndTxnRequest)
    /// TxnOffsetCommit.
    case txnOffsetCommit(TxnOffsetCommitRequest)
    /// DescribeAcls.
    case describeAcls(DescribeAclsRequest)
    /// CreateAcls.
    case createAcls(CreateAclsRequest)
    /// DescribeConfigs.
    case describeConfigs(DescribeConfigsRequest)
    /// AlterConfigs.
    case alterConfigs(AlterConfigsRequest)
    /// CreatePartitions.
    case createPartitions(CreatePartitionsRequest)
    /// DeleteGroups.
    case deleteGroups(DeleteGroupsRequest)
    /// IncrementalAlterConfigs.
    case incrementalAlterConfigs(IncrementalAlterConfigsRequest)
    /// OffsetDelete.
    case offsetDelete(OffsetDeleteRequest)
    /// DescribeCluster.
    case describeCluster(DescribeClusterRequest)
    /// DescribeProducers.
    case describeProducers(DescribeProducersRequest)
    /// DescribeTransactions.
    case describeTransactions(DescribeTransactionsRequest)
    /// ListTransactions.
    case listTransactions(ListTransactionsRequest)
}

extension Request {
    /// Reads the body of a request.
    init(_ api: ApiKey, from reader: inout WireReader, version: Int16) throws(WireError) {
        switch api {
        case .produce: self = .produce(try ProduceRequest(from: &reader, version: version))
        case .fetch: self = .fetch(try FetchRequest(from: &reader, version: version))
        case .listOffsets: self = .listOffsets(try ListOffsetsRequest(from: &reader, version: version))
        case .metadata: self = .metadata(try MetadataRequest(from: &reader, version: version))
        case .offsetCommit: self = .offsetCommit(try OffsetCommitRequest(from: &reader, version: version))
        case .offsetFetch: self = .offsetFetch(try OffsetFetchRequest(from: &reader, version: version))
        case .findCoordinator: self = .findCoordinator(try FindCoordinatorRequest(from: &reader, version: version))
        case .joinGroup: self = .joinGroup(try JoinGroupRequest(from: &reader, version: version))
        case .heartbeat: self = .heartbeat(try HeartbeatRequest(from: &reader, version: version))
        case .leaveGroup: self = .leaveGroup(try LeaveGroupRequest(from: &reader, version: version))
        case .syncGroup: self = .syncGroup(try SyncGroupRequest(from: &reader, version: version))
        case .describeGroups: self = .describeGroups(try DescribeGroupsRequest(from: &reader, version: version))
        case .listGroups: self = .listGroups(try ListGroupsRequest(from: &reader, version: version))
        case .apiVersions: self = .apiVersions(try ApiVersionsRequest(from: &reader, version: version))
        case .createTopics: self = .createTopics(try CreateTopicsRequest(from: &reader, version: version))
        case .deleteTopics: self = .deleteTopics(try DeleteTopicsRequest(from: &reader, version: version))
        case .deleteRecords: self = .deleteRecords(try DeleteRecordsRequest(from: &reader, version: version))
        case .initProducerID: self = .initProducerID(try InitProducerIDRequest(from: &reader, version: version))
        case .offsetForLeaderEpoch:
            self = .offsetForLeaderEpoch(try OffsetForLeaderEpochRequest(from: &reader, version: version))
        case .addPartitionsToTxn:
            self = .addPartitionsToTxn(try AddPartitionsToTxnRequest(from: &reader, version: version))
        case .addOffsetsToTxn: self = .addOffsetsToTxn(try AddOffsetsToTxnRequest(from: &reader, version: version))
        case .endTxn: self = .endTxn(try EndTxnRequest(from: &reader, version: version))
        case .txnOffsetCommit: self = .txnOffsetCommit(try TxnOffsetCommitRequest(from: &reader, version: version))
        case .describeAcls: self = .describeAcls(try DescribeAclsRequest(from: &reader, version: version))
        case .createAcls: self = .createAcls(try CreateAclsRequest(from: &reader, version: version))
        case .describeConfigs: self = .describeConfigs(try DescribeConfigsRequest(from: &reader, version: version))
        case .alterConfigs: self = .alterConfigs(try AlterConfigsRequest(from: &reader, version: version))
        case .createPartitions: self = .createPartitions(try CreatePartitionsRequest(from: &reader, version: version))
        case .deleteGroups: self = .deleteGroups(try DeleteGroupsRequest(from: &reader, version: version))
        case .incrementalAlterConfigs:
            self = .incrementalAlterConfigs(try IncrementalAlterConfigsRequest(from: &reader, version: version))
        case .offsetDelete: self = .offsetDelete(try OffsetDeleteRequest(from: &reader, version: version))
        case .describeCluster: self = .describeCluster(try DescribeClusterRequest(from: &reader, version: version))
        case .describeProducers:
            self = .describeProducers(try DescribeProducersRequest(from: &reader, version: version))
        case .describeTransactions:
            self = .describeTransactions(try DescribeTransactionsRequest(from: &reader, version: version))
        case .listTransactions: self = .listTransactions(try ListTransactionsRequest(from: &reader, version: version))
        }
    }
}
