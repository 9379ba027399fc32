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
    static let none = ErrorCode(0)
    static let offsetOutOfRange = ErrorCode(1)
    static let corruptMessage = ErrorCode(2)
    static let unknownTopicOrPartition = ErrorCode(3)
    static let messageTooLarge = ErrorCode(10)
    static let offsetMetadataTooLarge = ErrorCode(12)
    /// `INVALID_TOPIC_EXCEPTION`.
    static let invalidTopic = ErrorCode(17)
    static let invalidCommitOffsetSize = ErrorCode(28)
    static let invalidRequiredAcks = ErrorCode(21)
    static let illegalGeneration = ErrorCode(22)
    static let inconsistentGroupProtocol = ErrorCode(23)
    static let invalidGroupID = ErrorCode(24)
    static let unknownMemberID = ErrorCode(25)
    static let invalidSessionTimeout = ErrorCode(26)
    static let rebalanceInProgress = ErrorCode(27)
    static let invalidTimestamp = ErrorCode(32)
    static let unsupportedVersion = ErrorCode(35)
    static let topicAlreadyExists = ErrorCode(36)
    static let invalidPartitions = ErrorCode(37)
    static let invalidReplicationFactor = ErrorCode(38)
    static let invalidReplicaAssignment = ErrorCode(39)
    static let invalidConfig = ErrorCode(40)
    static let invalidRequest = ErrorCode(42)
    static let unsupportedForMessageFormat = ErrorCode(43)
    static let policyViolation = ErrorCode(44)
    static let outOfOrderSequenceNumber = ErrorCode(45)
    static let invalidProducerEpoch = ErrorCode(47)
    /// `INVALID_TXN_STATE`.
    static let invalidTransactionState = ErrorCode(48)
    static let invalidProducerIDMapping = ErrorCode(49)
    static let invalidTransactionTimeout = ErrorCode(50)
    static let concurrentTransactions = ErrorCode(51)
    static let securityDisabled = ErrorCode(54)
    static let operationNotAttempted = ErrorCode(55)
    static let nonEmptyGroup = ErrorCode(68)
    static let groupIDNotFound = ErrorCode(69)
    static let fetchSessionIDNotFound = ErrorCode(70)
    static let unknownLeaderEpoch = ErrorCode(75)
    static let memberIDRequired = ErrorCode(79)
    static let groupMaxSizeReached = ErrorCode(81)
    static let fencedInstanceID = ErrorCode(82)
    static let groupSubscribedToTopic = ErrorCode(86)
    static let invalidRecord = ErrorCode(87)
    static let unstableOffsetCommit = ErrorCode(88)
    static let producerFenced = ErrorCode(90)
    static let transactionalIDNotFound = ErrorCode(105)
    static let unknownTopicID = ErrorCode(100)
}
