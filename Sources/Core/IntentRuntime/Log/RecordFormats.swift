package import IntentEvents

/// The formats of records that a worker reads, and the one that it writes.
///
/// A format is the form of everything that workers write for each other: state, journal, and the events between the
/// stages. A change that only adds members, which older readers may ignore, stays in its format. Workers read the last
/// two formats, so that two versions can run side by side; they write the older one until `formats.write` is raised.
package struct RecordFormats: Hashable, Sendable {
    package var reads: ClosedRange<Int>
    /// The format that is written.
    package var writes: Int

    /// The formats that this version reads, and the one that it writes in a deployment that names none.
    package static let current = RecordFormats(reads: 1...2, writes: 1)

    /// The format that workers of a new deployment write: nothing older has to read it.
    package static let ofNewDeployments = 2

    /// The header that names a record's format; a record without it is of format 1.
    package static let header = "intentd_format"

    /// Describes what a worker reads and writes.
    package init(reads: ClosedRange<Int>, writes: Int) {
        self.reads = reads
        self.writes = writes
    }

    /// The headers of a record with members of that format; none for format 1, so that its bytes are those of versions
    /// from before formats.
    static func marks(of format: Int) -> [LogHeader] {
        // Nearly every record is of format 1.
        format == 1 ? [] : [LogHeader(Self.header, String(format))]
    }

    /// The format of a record; nil when its mark is no number.
    ///
    /// A mark counts only on records that intentd itself has written. Events of clients are forwarded between the
    /// stages with their own headers, which must not stop a worker.
    package static func format(of content: RecordContent, on topic: Topic) -> Int? {
        guard topic.hasFormat, content.hasHeader(Self.header) else { return 1 }
        if topic != .state, Self.isClients(content.headers) { return 1 }
        return content.header(Self.header).flatMap { Int($0) }
    }

    /// Whether a record has to be checked: most have no mark, which means a supported format.
    package func concerns(_ content: RecordContent) -> Bool {
        !self.reads.contains(1) || content.hasHeader(Self.header)
    }

    /// Checks that a record has a supported format.
    ///
    /// - Throws: ``LogError`` with `unreadableFormat`, which gives the record's position and says what to do.
    package func check(_ record: LogRecord, on topic: Topic) throws(LogError) {
        guard let problem = self.problem(with: record.content, on: topic) else { return }
        let key = record.key.map { " (key \(String(decoding: $0, as: UTF8.self)))" } ?? ""
        throw LogError(.unreadableFormat, "\(record.topicPartition) at offset \(record.offset)\(key) \(problem)")
    }

    /// Checks that a record in a state entry has a supported format.
    ///
    /// - Throws: ``LogError`` with `unreadableFormat`.
    func check(_ stored: StoredRecord, in key: StateKey) throws(LogError) {
        guard let problem = self.problem(with: stored.content, on: stored.position.topic) else { return }
        let name = String(decoding: key.bytes, as: UTF8.self)
        throw LogError(.unreadableFormat, "The event \(stored.position), kept in the state as \(name), \(problem)")
    }

    private func problem(with content: RecordContent, on topic: Topic) -> String? {
        let format = Self.format(of: content, on: topic)
        if let format, self.reads.contains(format) { return nil }
        let reads =
            self.reads.count == 1 ? "\(self.reads.lowerBound)" : "\(self.reads.lowerBound) to \(self.reads.upperBound)"
        let found = format.map { "format \($0)" } ?? "a format that is not a number"
        let advice =
            format.map { $0 < self.reads.lowerBound } ?? false
            ? "start a version that still reads it, and run it until no record of that format is left"
            : "start the newer version of intentd that wrote it; if no intentd wrote it, find out what else can write to the "
                + "topic (WhenSomethingIsWrong.md describes how to continue without it)"
        return "is of \(found), and this version reads \(reads): nothing was committed; \(advice)"
    }

    /// Whether an event was written by a client, judged as decoding would: forwarded, not intentd's own.
    private static func isClients(_ headers: [LogHeader]) -> Bool {
        var type: String?
        var isStructured = false
        for header in headers {
            if header.name == EventHeaderName.type {
                type = header.text ?? type
            } else if header.name.lowercased() == EventHeaderName.contentType {
                isStructured = header.text?.lowercased().hasPrefix("application/cloudevents+json") ?? isStructured
            }
        }
        return isStructured || type.flatMap(EventType.init(rawValue:))?.isInbound ?? false
    }
}

extension Topic {
    /// Whether workers write the topic for workers, in a format of their own.
    package var hasFormat: Bool {
        switch self {
        case .resolved, .confirmed, .signals, .journal, .state: true
        case .requests, .responses, .userActivities, .deadLetters: false
        }
    }
}
