/// The APIs that the broker serves, by their key in the protocol.
enum ApiKey: Int16, Sendable, CaseIterable {
    /// Produce.
    case produce = 0
    /// Fetch.
    case fetch = 1
    /// ListOffsets.
    case listOffsets = 2
    /// Metadata.
    case metadata = 3
    /// OffsetCommit.
    case offsetCommit = 8
    /// OffsetFetch.
    case offsetFetch = 9
    /// FindCoordinator.
    case findCoordinator = 10
    /// JoinGroup.
    case joinGroup = 11
    /// Heartbeat.
    case heartbeat = 12
    /// LeaveGroup.
    case leaveGroup = 13
    /// SyncGroup.
    case syncGroup = 14
    /// DescribeGroups.
    case describeGroups = 15
    /// ListGroups.
    case listGroups = 16
    /// ApiVersions.
    case apiVersions = 18
    /// CreateTopics.
    case createTopics = 19
    /// DeleteTopics.
    case deleteTopics = 20
    /// DeleteRecords.
    case deleteRecords = 21
    /// InitProducerId.
    case initProducerID = 22
    /// OffsetForLeaderEpoch.
    case offsetForLeaderEpoch = 23
    /// AddPartitionsToTxn.
    case addPartitionsToTxn = 24
    /// AddOffsetsToTxn.
    case addOffsetsToTxn = 25
    /// EndTxn.
    case endTxn = 26
    /// TxnOffsetCommit.
    case txnOffsetCommit = 28
    /// DescribeAcls.
    case describeAcls = 29
    /// CreateAcls.
    case createAcls = 30
    /// DescribeConfigs.
    case describeConfigs = 32
    /// AlterConfigs.
    case alterConfigs = 33
    /// CreatePartitions.
    case createPartitions = 37
    /// DeleteGroups.
    case deleteGroups = 42
    /// IncrementalAlterConfigs.
    case incrementalAlterConfigs = 44
    /// OffsetDelete.
    case offsetDelete = 47
    /// DescribeCluster.
    case describeCluster = 60
    /// DescribeProducers.
    case describeProducers = 61
    /// DescribeTransactions.
    case describeTransactions = 65
    /// ListTransactions.
    case listTransactions = 66
}

extension ApiKey {
    /// The versions that the broker reads and writes.
    var versions: ClosedRange<Int16> {
        switch self {
        case .produce: 0...9
        case .fetch: 0...12
        case .listOffsets: 0...7
        case .metadata: 0...12
        case .offsetCommit: 0...8
        case .offsetFetch: 0...8
        case .findCoordinator: 0...4
        case .joinGroup: 0...9
        case .heartbeat: 0...4
        case .leaveGroup: 0...5
        case .syncGroup: 0...5
        case .describeGroups: 0...5
        case .listGroups: 0...4
        case .apiVersions: 0...4
        case .createTopics: 0...7
        case .deleteTopics: 0...6
        case .deleteRecords: 0...2
        case .initProducerID: 0...4
        case .offsetForLeaderEpoch: 0...4
        case .addPartitionsToTxn: 0...3
        case .addOffsetsToTxn: 0...3
        case .endTxn: 0...3
        case .txnOffsetCommit: 0...3
        case .describeAcls: 0...3
        case .createAcls: 0...3
        case .describeConfigs: 0...4
        case .alterConfigs: 0...2
        case .createPartitions: 0...3
        case .deleteGroups: 0...2
        case .incrementalAlterConfigs: 0...1
        case .offsetDelete: 0...0
        case .describeCluster: 0...1
        case .describeProducers: 0...0
        case .describeTransactions: 0...0
        case .listTransactions: 0...0
        }
    }

    /// The first version with compact lengths and tagged fields (KIP-482); nil when there is none.
    var firstFlexibleVersion: Int16? {
        switch self {
        case .produce: 9
        case .fetch: 12
        case .listOffsets: 6
        case .metadata: 9
        case .offsetCommit: 8
        case .offsetFetch: 6
        case .findCoordinator: 3
        case .joinGroup: 6
        case .heartbeat: 4
        case .leaveGroup: 4
        case .syncGroup: 4
        case .describeGroups: 5
        case .listGroups: 3
        case .apiVersions: 3
        case .createTopics: 5
        case .deleteTopics: 4
        case .deleteRecords: 2
        case .initProducerID: 2
        case .offsetForLeaderEpoch: 4
        case .addPartitionsToTxn: 3
        case .addOffsetsToTxn: 3
        case .endTxn: 3
        case .txnOffsetCommit: 3
        case .describeAcls: 2
        case .createAcls: 2
        case .describeConfigs: 4
        case .alterConfigs: 2
        case .createPartitions: 2
        case .deleteGroups: 2
        case .incrementalAlterConfigs: 1
        case .offsetDelete: nil
        case .describeCluster, .describeProducers, .describeTransactions, .listTransactions: 0
        }
    }

    /// Whether requests and responses of this version carry compact lengths and tagged fields.
    func isFlexible(_ version: Int16) -> Bool {
        guard let first = self.firstFlexibleVersion else { return false }
        return version >= first
    }
}
