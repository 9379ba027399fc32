internal import Foundation
package import IntentEvents
internal import IntentKit
internal import IntentLedger
internal import IntentRecords
internal import IntentRuntime

/// Everything of one user, from topics, records and the ledger, as one archive (R92).
package struct UserExport: Sendable {
    /// What an archive contains.
    package struct Summary: Hashable, Sendable {
        /// The records of the topics, from the record database and from the topics.
        package var records = 0
        package var interactions = 0
        package var effects = 0
        /// Entries of the stages' state.
        package var entries = 0
        package var vocabularies = 0
    }

    /// The number of bytes that are handed to the file at a time.
    private static let chunk = 256 << 10

    private let operations: Operations
    private let user: UserID
    private let masking: Masking

    /// Exports a user.
    ///
    /// - Parameters:
    ///   - user: The user.
    ///   - operations: Reads records and ledger, and the topics if it has them.
    ///   - masking: Masks sensitive values; unless it reveals all, values that only intentd reads are left out.
    package init(of user: UserID, _ operations: Operations, masking: Masking) {
        self.user = user
        self.operations = operations
        self.masking = masking
    }

    /// Writes the archive.
    ///
    /// - Parameters:
    ///   - path: A file that does not exist yet.
    ///   - now: The time of the export.
    ///   - progress: Called with the number of records so far.
    /// - Returns: What it contains.
    /// - Throws: ``OperationError``; `LogError`; `StoreError`. The file then does not exist.
    package func write(
        to path: String,
        at now: Timestamp,
        _ progress: @escaping @Sendable (Int) -> Void
    ) async throws -> Summary {
        let file = try TarFile(at: path, time: now.milliseconds / 1_000)
        do {
            let summary = try await self.write(to: file, at: now, progress)
            try await file.close()
            return summary
        } catch {
            await file.discard()
            throw error
        }
    }

    private func write(
        to file: TarFile,
        at now: Timestamp,
        _ progress: @escaping @Sendable (Int) -> Void
    ) async throws -> Summary {
        var summary = Summary()
        var page = UserExportPage(user: self.user, at: now)
        file.begin("records.ndjson")
        var lines = Lines(file)
        var seen: Set<RecordPosition> = []
        for record in try await self.recorded() {
            seen.insert(record.position)
            self.add(record, to: &lines, &page)
            summary.records += 1
            if summary.records % 1_000 == 0 { progress(summary.records) }
        }
        try await self.readTopics { record in
            guard seen.insert(record.position).inserted else { return }
            self.add(record, to: &lines, &page)
            summary.records += 1
            if summary.records % 1_000 == 0 { progress(summary.records) }
        }
        lines.flush()
        let interactions = try await self.interactions()
        summary.interactions = interactions.count
        file.begin("interactions.ndjson")
        for interaction in interactions { lines.add(self.masking.masked(interaction)) }
        lines.flush()
        file.begin("effects.ndjson")
        for effect in try await self.effects(of: interactions) {
            lines.add(effect)
            summary.effects += 1
        }
        lines.flush()
        try await self.writeState(to: file, &lines, &summary)
        page.interactions = interactions
        file.begin("index.html")
        file.append(
            Array(page.html(summary, isMasked: !self.masking.isRevealed, readsTopics: self.readsTopics).text.utf8)
        )
        return summary
    }

    private var readsTopics: Bool { self.operations.topics != nil }

    // MARK: Records

    private func recorded() async throws -> [RecordedEvent] {
        guard let archive = try await self.archive() else { return [] }
        return try await archive.events(of: self.user)
    }

    private func interactions() async throws -> [RecordedInteraction] {
        guard let archive = try await self.archive() else { return [] }
        return try await archive.interactions(InteractionFilter(userID: self.user, limit: .max))
    }

    /// The record database; nil where there is none.
    private func archive() async throws -> RecordArchive? {
        let path = self.operations.configuration.data.records
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        return try await RecordArchive.open(at: path)
    }

    // MARK: Topics

    /// Reads the user's home partition of each topic, and all partitions of those that others write to.
    private func readTopics(_ body: (RecordedEvent) -> Void) async throws {
        guard let (log, deployment) = self.operations.topics else { return }
        let home = deployment.home(of: self.user)
        let partitions = Topic.allCases.filter { $0 != .state }
            .flatMap { topic in
                topic == .requests || topic == .deadLetters
                    ? deployment.topicPartitions(of: topic) : [deployment.topicPartition(topic, home)]
            }
        try await LogFollower(log: log, partitions: partitions)
            .run(fromBeginning: true, untilEnd: true) { records in
                for record in records {
                    guard let topic = Topic(name: record.topicPartition.topic, prefix: deployment.prefix) else {
                        continue
                    }
                    let event = RecordedEvent(record, on: topic)
                    if self.isUsers(event) { body(event) }
                }
            }
    }

    /// Whether a record is the user's: by its event, or by its key.
    private func isUsers(_ event: RecordedEvent) -> Bool {
        event.userID == self.user || event.key.map { $0.elementsEqual(self.user.utf8) } ?? false
    }

    private func add(_ record: RecordedEvent, to lines: inout Lines, _ page: inout UserExportPage) {
        let json = record.json
        let masked = json.map(self.masking.masked)
        lines.add(self.line(record, json: masked))
        if record.position.topic.isSeenByUsers, let masked { page.add(record, masked) }
    }

    /// A record as a line; values that are not for users are left out where sensitive ones are masked.
    private func line(_ record: RecordedEvent, json: JSONValue?) -> JSONValue {
        func text(_ bytes: [UInt8]) -> JSONValue {
            String(validating: bytes, as: UTF8.self).map(JSONValue.string)
                ?? ["base64": .string(Data(bytes).base64EncodedString())]
        }
        let showsAll = self.masking.isRevealed
        let value: JSONValue? =
            showsAll ? json ?? record.value.map(text) : record.position.topic.isSeenByUsers ? json : nil
        return .members([
            "topic": .string(record.position.topic.rawValue),
            "partition": .integer(Int64(record.position.partition)),
            "offset": .integer(record.position.offset),
            "timestamp": .string(record.timestamp.description),
            "type": record.type.map(JSONValue.string),
            "interaction": record.subject?.json,
            "request": record.request?.json,
            "key": record.key.map(text),
            "headers": showsAll
                ? .array(record.headers.map { ["name": .string($0.name), "value": $0.value.map(text) ?? .null] }) : nil,
            "value": value,
        ])
    }

    // MARK: Ledger and state

    /// The effects of the user's interactions, with their results where values are shown.
    private func effects(of interactions: [RecordedInteraction]) async throws -> [JSONValue] {
        guard !interactions.isEmpty, let location = try await self.operations.configuration.existingLedger(),
            let archive = try await location.archive()
        else { return [] }
        let requests = Set(interactions.map(\.request.text))
        var found: [JSONValue] = []
        for partition in Set(interactions.map(\.position.partition)).sorted() {
            for effect in try await archive.effects(ofPartition: partition) where requests.contains(effect.request) {
                found.append(self.line(effect))
            }
            for undone in try await archive.undone(ofPartition: partition)
            where requests.contains(undone.effect.request) {
                var members = self.line(undone.effect).object ?? [:]
                members["undoneAt"] = .string(Timestamp(milliseconds: undone.undoneAt).description)
                members["undoneBy"] = .string(undone.undoneBy)
                found.append(.object(members))
            }
        }
        return found
    }

    private func line(_ effect: LedgerArchive.Effect) -> JSONValue {
        .members([
            "request": .string(effect.request),
            "name": .string(effect.name),
            "ordinal": .integer(Int64(effect.ordinal)),
            "at": .string(Timestamp(milliseconds: effect.at).description),
            "result": self.masking.isRevealed ? try? JSONValue(parsing: effect.result) : nil,
        ])
    }

    /// The user's entries of the stages' state, and the vocabularies.
    private func writeState(to file: TarFile, _ lines: inout Lines, _ summary: inout Summary) async throws {
        guard let (log, deployment) = self.operations.topics else { return }
        let vocabularies = try await self.operations.vocabularies(of: self.user)
        summary.vocabularies = vocabularies.count
        file.begin("vocabularies.json")
        file.append(
            JSONValue.object(Dictionary(uniqueKeysWithValues: vocabularies.map { ($0.key.rawValue, $0.value.json) }))
                .utf8
                + [UInt8(ascii: "\n")]
        )
        var current: [[UInt8]: (key: StateKey, value: [UInt8])] = [:]
        let partition = deployment.topicPartition(.state, deployment.home(of: self.user))
        try await StateReader.read([partition], of: log) { entries in
            for entry in entries where entry.key.user == self.user {
                current[entry.key.bytes] = entry.value.map { (entry.key, $0) }
            }
            return true
        }
        summary.entries = current.count
        guard self.masking.isRevealed else { return }
        file.begin("state.ndjson")
        for (_, entry) in current.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
            lines.add(
                .members([
                    "stage": entry.key.stage.map { .string($0.rawValue) },
                    "name": .string(entry.key.name.text),
                    "value": try? JSONValue(parsing: entry.value, maximumDepth: .max),
                ])
            )
        }
        lines.flush()
    }

    /// Collects lines of JSON, and hands them to the file in larger pieces.
    private struct Lines {
        private let file: TarFile
        private var bytes: [UInt8] = []

        init(_ file: TarFile) { self.file = file }

        mutating func add(_ value: JSONValue) {
            self.bytes += value.utf8
            self.bytes.append(UInt8(ascii: "\n"))
            if self.bytes.count >= UserExport.chunk { self.flush() }
        }

        mutating func flush() {
            guard !self.bytes.isEmpty else { return }
            self.file.append(self.bytes)
            self.bytes.removeAll(keepingCapacity: true)
        }
    }
}

extension Topic {
    /// Whether clients write or read its events.
    fileprivate var isSeenByUsers: Bool { [.requests, .responses, .userActivities].contains(self) }
}
