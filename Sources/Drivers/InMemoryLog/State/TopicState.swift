import IntentEvents
import IntentRuntime

struct TopicState {
    /// The description with which it was created.
    var description: TopicDescription
    var partitions: [PartitionLog]
    /// The largest record that it accepts, counted as Kafka counts.
    var maximumRecordSize: Int

    /// Creates an empty topic.
    /// - Throws: ``LogError``, `configuration`.
    init(_ description: TopicDescription, maximumRecordSize: Int) throws(LogError) {
        guard description.name.isLegalInKafka else {
            throw LogError(.configuration, "invalid topic name \(description.name)")
        }
        guard description.partitions > 0 else {
            throw LogError(.configuration, "topic \(description.name) has no partitions")
        }
        self.description = description
        self.partitions = Array(repeating: PartitionLog(), count: description.partitions)
        self.maximumRecordSize = maximumRecordSize
        if let limit = description.configuration["max.message.bytes"] {
            guard let limit = Int(limit), limit >= 0 else {
                throw LogError(.configuration, "topic \(description.name): max.message.bytes is not a number")
            }
            self.maximumRecordSize = limit
        }
    }

    /// Adds empty partitions until there are this many.
    mutating func setPartitions(_ count: Int) {
        while self.partitions.count < count { self.partitions.append(PartitionLog()) }
        self.description.partitions = self.partitions.count
    }
}
