/// The protocol's error codes that the broker answers with.
struct ErrorCode: RawRepresentable, Sendable, Hashable {
    /// The number on the wire.
    var rawValue: Int16

    /// Any code, known or not.
    init(rawValue: Int16) {
        self.rawValue = rawValue
    }

    private init(_ rawValue: Int16) {
        self.rawValue = rawValue
    }
}

extension ErrorCode {
    /// `UNKNOWN_SERVER_ERROR`.
    static let unknownServerError = ErrorCode(-1)
    /// `NONE`.
    static let none = ErrorCode(0)
    /// `OFFSET_OUT_OF_RANGE`.
    static let offsetOutOfRange = ErrorCode(1)
    /// `CORRUPT_MESSAGE`.
    static let corruptMessage = ErrorCode(2)
    /// `UNKNOWN_TOPIC_OR_PARTITION`.
    static let unknownTopicOrPartition = ErrorCode(3)
    /// `MESSAGE_TOO_LARGE`.
    static let messageTooLarge = ErrorCode(10)
    /// `OFFSET_METADATA_TOO_LARGE`.
    static let offsetMetadataTooLarge = ErrorCode(12)
    /// `INVALID_TOPIC_EXCEPTION`.
    static let invalidTopic = ErrorCode(17)
    /// `INVALID_COMMIT_OFFSET_SIZE`.
    static let invalidCommitOffsetSize = ErrorCode(28)
    /// `INVALID_REQUIRED_ACKS`.
    static let invalidRequiredAcks = ErrorCode(21)
    /// `ILLEGAL_GENERATION`.
    static let illegalGeneration = ErrorCode(22)
    /// `INCONSISTENT_GROUP_PROTOCOL`.
    static let inconsistentGroupProtocol = ErrorCode(23)
    /// `INVALID_GROUP_ID`.
    static let invalidGroupID = ErrorCode(24)
    /// `UNKNOWN_MEMBER_ID`.
    static let unknownMemberID = ErrorCode(25)
    /// `INVALID_SESSION_TIMEOUT`.
    static let invalidSessionTimeout = ErrorCode(26)
    /// `REBALANCE_IN_PROGRESS`.
    static let rebalanceInProgress = ErrorCode(27)
    /// `INVALID_TIMESTAMP`.
    static let invalidTimestamp = ErrorCode(32)
    /// `UNSUPPORTED_VERSION`.
    static let unsupportedVersion = ErrorCode(35)
    /// `TOPIC_ALREADY_EXISTS`.
    static let topicAlreadyExists = ErrorCode(36)
    /// `INVALID_PARTITIONS`.
    static let invalidPartitions = ErrorCode(37)
    /// `INVALID_REPLICATION_FACTOR`.
    static let invalidReplicationFactor = ErrorCode(38)
    /// `INVALID_REPLICA_ASSIGNMENT`.
    static let invalidReplicaAssignment = ErrorCode(39)
    /// `INVALID_CONFIG`.
    static let invalidConfig = ErrorCode(40)
    /// `INVALID_REQUEST`.
    static let invalidRequest = ErrorCode(42)
    /// `UNSUPPORTED_FOR_MESSAGE_FORMAT`.
    static let unsupportedForMessageFormat = ErrorCode(43)
    /// `POLICY_VIOLATION`.
    static let policyViolation = ErrorCode(44)
    /// `OUT_OF_ORDER_SEQUENCE_NUMBER`.
    static let outOfOrderSequenceNumber = ErrorCode(45)
    /// `INVALID_PRODUCER_EPOCH`.
    static let invalidProducerEpoch = ErrorCode(47)
    /// `INVALID_TXN_STATE`.
    static let invalidTransactionState = ErrorCode(48)
    /// `INVALID_PRODUCER_IDMAPPING`.
    static let invalidProducerIDMapping = ErrorCode(49)
    /// `INVALID_TRANSACTION_TIMEOUT`.
    static let invalidTransactionTimeout = ErrorCode(50)
    /// `CONCURRENT_TRANSACTIONS`.
    static let concurrentTransactions = ErrorCode(51)
    /// `SECURITY_DISABLED`.
    static let securityDisabled = ErrorCode(54)
    /// `OPERATION_NOT_ATTEMPTED`.
    static let operationNotAttempted = ErrorCode(55)
    /// `KAFKA_STORAGE_ERROR`.
    static let kafkaStorageError = ErrorCode(56)
    /// `UNKNOWN_PRODUCER_ID`.
    static let unknownProducerID = ErrorCode(59)
    /// `NON_EMPTY_GROUP`.
    static let nonEmptyGroup = ErrorCode(68)
    /// `GROUP_IDNOT_FOUND`.
    static let groupIDNotFound = ErrorCode(69)
    /// `FETCH_SESSION_IDNOT_FOUND`.
    static let fetchSessionIDNotFound = ErrorCode(70)
    /// `FENCED_LEADER_EPOCH`.
    static let fencedLeaderEpoch = ErrorCode(74)
    /// `UNKNOWN_LEADER_EPOCH`.
    static let unknownLeaderEpoch = ErrorCode(75)
    /// `MEMBER_IDREQUIRED`.
    static let memberIDRequired = ErrorCode(79)
    /// `GROUP_MAX_SIZE_REACHED`.
    static let groupMaxSizeReached = ErrorCode(81)
    /// `FENCED_INSTANCE_ID`.
    static let fencedInstanceID = ErrorCode(82)
    /// `GROUP_SUBSCRIBED_TO_TOPIC`.
    static let groupSubscribedToTopic = ErrorCode(86)
    /// `INVALID_RECORD`.
    static let invalidRecord = ErrorCode(87)
    /// `UNSTABLE_OFFSET_COMMIT`.
    static let unstableOffsetCommit = ErrorCode(88)
    /// `PRODUCER_FENCED`.
    static let producerFenced = ErrorCode(90)
    /// `TRANSACTIONAL_ID_NOT_FOUND`.
    static let transactionalIDNotFound = ErrorCode(105)
    /// `UNKNOWN_TOPIC_ID`.
    static let unknownTopicID = ErrorCode(100)
}
