internal import IntentEvents
internal import IntentKit

/// What the topics hold about the requests of dead letters.
struct RedriveSources {
    /// A request that can be sent again.
    struct Source {
        var request: Event
        /// The position of the first request in the chain of redriven requests.
        var origin: RequestID
        /// The interaction id of the first request.
        var baseID: InteractionID
        /// The parameters as they were when the interaction failed; nil for those of the request.
        var parameters: JSONObject?
    }

    /// Why nothing can be sent.
    struct Reason: Error, CustomStringConvertible {
        var description: String
    }

    /// The new interaction's id for each dead letter that was redriven, by the letter's position.
    private(set) var sent: [String: InteractionID] = [:]
    /// A user's interaction id without the number of a redrive.
    private struct Name: Hashable {
        var user: UserID
        var base: InteractionID
    }

    /// The highest number of a redriven request for each name: a user may have used one id for several requests.
    private var numbers: [Name: Int] = [:]
    /// The numbers in ids that clients chose themselves.
    private var taken: [Name: Set<Int>] = [:]
    private var requests: [RequestID: Event] = [:]
    /// The parameters in terminal responses.
    private var ends: [RequestID: JSONObject] = [:]

    /// The maximum difference between the timestamps of one transaction's records, in milliseconds: a transaction's
    /// time-out.
    private static let slack: Int64 = 60_000

    /// Reads the requests, those that were redriven since (proved by the key), and, with ends, the terminal responses.
    init(
        _ letters: [DeadLetter],
        of deployment: Deployment,
        on log: any EventLog,
        key: RedriveKey?,
        now: Timestamp?,
        withEnds: Bool = true
    ) async throws {
        try await self.readRequests(letters, deployment, log, key, now)
        if withEnds { try await self.readEnds(letters, deployment, log) }
    }

    /// The intents that were requested, by the positions of the requests.
    var intents: [RequestID: String] { self.requests.compactMapValues { $0.data["intent"]?["name"]?.string } }

    /// The letters, with incomplete events replaced by those that their topics still hold.
    static func completed(
        _ letters: [DeadLetter],
        of deployment: Deployment,
        on log: any EventLog
    ) async throws -> [DeadLetter] {
        var letters = letters
        for index in letters.indices {
            guard let topicPartition = letters[index].original, let offset = letters[index].headers.offset,
                let topic = Topic(name: topicPartition.topic, prefix: deployment.prefix),
                (0..<deployment.partitions).contains(topicPartition.partition)
            else { continue }
            let starts = try await log.offsets([topicPartition], at: .earliest)
            let ends = try await log.offsets([topicPartition], at: .lastStable)
            guard let start = starts[topicPartition], let end = ends[topicPartition],
                (start..<max(start, end)).contains(offset)
            else { continue }
            var original: StoredRecord?
            try await log.read([topicPartition: offset..<(offset + 1)]) { records in
                original = records.first.map { StoredRecord($0, topic: topic) } ?? original
            }
            if let original { letters[index].complete(from: original) }
        }
        return letters
    }

    /// The request to send for a dead letter.
    func source(of letter: DeadLetter) -> Result<Source, Reason> {
        let event: Event
        switch letter.event {
        case .success(let decoded): event = decoded
        case .failure where letter.original != nil && !letter.isComplete:
            return .failure(Self.truncated(letter))
        case .failure(let error):
            let advice = "send a corrected event with `intentd produce`"
            return .failure(Reason(description: "it cannot be read (\(error.detail)): \(advice)"))
        }
        guard let position = letter.headers.request, let id = letter.headers.interactionID else {
            let text = "\(event.type) belongs to no interaction, so there is no request to send"
            return .failure(Reason(description: text))
        }
        let isRequest = event.knownType == .intentRequested
        guard let request = isRequest ? event : self.requests[position] else {
            return .failure(Reason(description: "its request, \(position) on requests, no longer exists"))
        }
        var parameters: JSONObject?
        if !isRequest {
            parameters = letter.parametersAtDeath ?? self.ends[position]
            guard parameters != nil else {
                return .failure(Reason(description: "its interaction's terminal response is no longer on responses"))
            }
        }
        let origin = request.passedThrough[EventHeaderName.redriveOf].map { RequestID($0) }
        return .success(
            Source(
                request: request,
                origin: origin ?? position,
                baseID: origin == nil ? id : RedriveIdentifier.split(id).base,
                parameters: parameters?.filter { !$0.value.isNull }
            )
        )
    }

    /// Why nothing can be done with a letter that holds a part of its event.
    static func truncated(_ letter: DeadLetter) -> Reason {
        let headers = letter.headers
        let original = "\(headers.topic ?? "")/\(headers.partition ?? 0)/\(headers.offset ?? 0)"
        return Reason(description: "it was truncated, and its original record, \(original), no longer exists")
    }

    /// The next number for an interaction that follows from that request.
    mutating func nextNumber(of source: Source) -> Int {
        let name = Name(user: source.request.userID, base: source.baseID)
        repeat { self.numbers[name, default: 0] += 1 } while self.isTaken(name)
        return self.numbers[name, default: 0]
    }

    private func isTaken(_ name: Name) -> Bool {
        self.numbers[name].map { self.taken[name]?.contains($0) ?? false } ?? false
    }

    /// Reads `requests` from the oldest request on: it holds the requests and those that were redriven from them.
    ///
    /// It begins no later than the ids that the stages remember: a redriven request must not look like a retry of
    /// another one (R8).
    private mutating func readRequests(
        _ letters: [DeadLetter],
        _ deployment: Deployment,
        _ log: any EventLog,
        _ key: RedriveKey?,
        _ now: Timestamp?
    ) async throws {
        var firsts: [TopicPartition: Int64] = [:]
        var wanted: Set<RequestID> = []
        for letter in letters {
            guard let request = letter.headers.request, let (partition, offset) = Self.position(request) else {
                continue
            }
            wanted.insert(request)
            let topicPartition = deployment.topicPartition(.requests, partition)
            guard partition < deployment.partitions else { continue }
            firsts[topicPartition] = min(firsts[topicPartition] ?? .max, offset)
        }
        let partitions = Array(firsts.keys)
        guard !partitions.isEmpty else { return }
        let ends = try await log.offsets(partitions, at: .lastStable)
        let earliest = try await log.offsets(partitions, at: .earliest)
        let since = now.map { max(0, $0.milliseconds - RuntimeSettings().dedupeWindow.milliseconds) }
        let recent = if let since { try await log.offsets(partitions, at: .time(since)) } else { firsts }
        let ranges = firsts.reduce(into: [TopicPartition: Range<Int64>]()) { ranges, first in
            let start = max(min(first.value, recent[first.key] ?? first.value), earliest[first.key] ?? 0)
            ranges[first.key] = start..<max(start, ends[first.key] ?? 0)
        }
        try await log.read(ranges) { records in
            for record in records {
                let position: RequestID = "\(record.topicPartition.partition):\(record.offset)"
                let isRedriven = record.headers.contains { $0.name == EventHeaderName.redriveOf }
                guard isRedriven || wanted.contains(position) || Self.mayBeNumbered(record),
                    let event = try? StoredRecord(record, topic: .requests).decoded()
                else { continue }
                if wanted.contains(position) { self.requests[position] = event }
                let recordPosition = RecordPosition(.requests, record.topicPartition.partition, record.offset)
                // A request that only claims to be redriven does not count.
                let isProved = key?.proves(event, at: recordPosition, of: deployment.id) ?? false
                self.record(event, isRedriven: isRedriven && isProved)
            }
        }
    }

    /// Records the id of a request that was redriven, or one in the same form.
    private mutating func record(_ event: Event, isRedriven: Bool) {
        guard let id = event.subject else { return }
        let (base, number) = RedriveIdentifier.split(id)
        let name = Name(user: event.userID, base: base)
        guard isRedriven else {
            self.taken[name, default: []].insert(number)
            return
        }
        self.numbers[name] = max(self.numbers[name] ?? 0, number)
        if let letter = event.causationID { self.sent[letter] = id }
    }

    /// Whether the request's id may end in a number, judged without decoding it: in structured mode the value has it.
    private static func mayBeNumbered(_ record: LogRecord) -> Bool {
        let bytes = record.header(EventHeaderName.subject).map { Array($0.utf8) } ?? record.value ?? []
        return bytes.contains(UInt8(ascii: "~"))
    }

    /// Reads the terminal responses of interactions whose dead letter does not hold the parameters.
    ///
    /// They were committed together with it.
    private mutating func readEnds(
        _ letters: [DeadLetter],
        _ deployment: Deployment,
        _ log: any EventLog
    ) async throws {
        var windows: [TopicPartition: ClosedRange<Int64>] = [:]
        var wanted: Set<RequestID> = []
        for letter in letters where letter.type != EventType.intentRequested.rawValue && letter.parametersAtDeath == nil
        {
            guard let request = letter.headers.request else { continue }
            wanted.insert(request)
            let partition = deployment.topicPartition(.responses, letter.position.partition)
            let at = letter.record.timestamp
            let known = windows[partition] ?? at...at
            windows[partition] = min(known.lowerBound, at)...max(known.upperBound, at)
        }
        var ranges: [TopicPartition: Range<Int64>] = [:]
        for (partition, window) in windows {
            let starts = try await log.offsets([partition], at: .time(window.lowerBound - Self.slack))
            let stable = try await log.offsets([partition], at: .lastStable)
            let ends = try await log.offsets([partition], at: .time(window.upperBound + Self.slack))
            guard let start = starts[partition], let end = stable[partition] else { continue }
            ranges[partition] = start..<max(start, min(end, ends[partition] ?? end))
        }
        try await log.read(ranges) { records in
            for record in records {
                guard let request = record.header(EventHeaderName.request).map({ RequestID($0) }),
                    wanted.contains(request),
                    let event = try? StoredRecord(record, topic: .responses).decoded(),
                    event.knownType == .intentResponded, event.data["terminal"] == true
                else { continue }
                self.ends[request] = event.data["intent"]?["parameters"]?.object ?? [:]
            }
        }
    }

    /// `partition:offset`.
    private static func position(_ request: RequestID) -> (Int, Int64)? {
        let parts = request.text.split(separator: ":")
        guard parts.count == 2, let partition = Int(parts[0]), let offset = Int64(parts[1]) else { return nil }
        return (partition, offset)
    }
}

extension DeadLetter {
    /// The parameters in the event itself, with its corrections: only an event that passes an interaction on holds
    /// them.
    fileprivate var parametersAtDeath: JSONObject? {
        guard case .success(let event) = self.event, event.data["interaction"] != nil, let intent = self.intent else {
            return nil
        }
        return intent.parameters.merging(event.data["corrections"]?.object ?? [:]) { $1 }
    }
}
