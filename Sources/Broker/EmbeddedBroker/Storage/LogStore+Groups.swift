import Foundation
import GRDB
import NIOCore

extension LogStore {
    /// Stores a group's members and generation.
    func save(_ group: ConsumerGroup) throws {
        try self.execute(
            "INSERT OR REPLACE INTO groups (name, state) VALUES (?, ?)",
            [group.id, Data(GroupSnapshot.bytes(of: group).readableBytesView)]
        )
    }

    func dropOffset(group: Name, partition: TopicPartition) throws {
        try self.execute(
            "DELETE FROM group_offsets WHERE group_name = ? AND topic = ? AND partition = ?",
            [group, partition.topic, Int64(partition.partition)]
        )
    }

    /// Drops a group with its offsets.
    func dropGroup(_ name: Name) throws {
        try self.execute("DELETE FROM groups WHERE name = ?", [name])
        try self.execute("DELETE FROM group_offsets WHERE group_name = ?", [name])
    }

    func groups(at now: BrokerTime) throws -> [Name: ConsumerGroup] {
        var groups: [Name: ConsumerGroup] = [:]
        for row in try Row.fetchAll(self.db, sql: "SELECT name, state FROM groups") {
            let bytes: Data = row[1]
            groups[row[0]] = try GroupSnapshot.group(id: row[0], from: ByteBuffer(bytes: bytes), at: now)
        }
        let offsets = try Row.fetchAll(
            self.db,
            sql: "SELECT group_name, topic, partition, offset, leader_epoch, metadata, committed_at FROM group_offsets"
        )
        for row in offsets {
            let name: Name = row[0]
            groups[name, default: ConsumerGroup(id: name)]
                .offsets[TopicPartition(topic: row[1], partition: row[2])] = CommittedOffset(
                    offset: row[3],
                    leaderEpoch: row[4],
                    metadata: row[5],
                    committedAt: row[6]
                )
        }
        return groups
    }

    func dropTransactionalID(_ name: Name) throws {
        try self.execute("DELETE FROM transactions WHERE name = ?", [name])
    }

    /// Reads all transactional ids; open transactions get their whole time-out again.
    func transactions(at now: BrokerTime) throws -> [Name: TransactionalProducer] {
        var producers: [Name: TransactionalProducer] = [:]
        for row in try Row.fetchAll(self.db, sql: "SELECT name, state FROM transactions") {
            let bytes: Data = row[1]
            producers[row[0]] = try TransactionSnapshot.producer(
                transactionalID: row[0],
                from: ByteBuffer(bytes: bytes),
                at: now
            )
        }
        return producers
    }
}
