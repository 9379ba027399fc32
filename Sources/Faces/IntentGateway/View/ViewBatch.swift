internal import IntentEvents
internal import IntentKit
internal import IntentRuntime

/// Adds events to the view's tables, inside a transaction.
///
/// Each interaction is read once and written once in a batch, however many of its events are in it.
struct ViewBatch {
    private let tables: ViewTables
    private let deployment: Deployment
    private let dedupeWindow: Int64
    private var entries: [RequestPosition: InteractionEntry] = [:]
    private var changed: Set<RequestPosition> = []
    /// The requests of names that were looked up, the earliest first.
    private var requests: [InteractionName: [RequestPosition]] = [:]
    private var rejections: [InteractionName: InteractionRejection] = [:]
    private var rejectedIn: [InteractionName: Int] = [:]

    /// The interactions that were changed.
    private(set) var names: Set<InteractionName> = []

    /// Starts a batch.
    ///
    /// - Parameters:
    ///   - tables: The tables.
    ///   - deployment: The deployment, whose id is part of generated ids (R7).
    ///   - dedupeWindow: How long a request of the same name counts as the client's retry (R8c).
    init(_ tables: ViewTables, _ deployment: Deployment, dedupeWindow: Duration) {
        self.tables = tables
        self.deployment = deployment
        self.dedupeWindow = dedupeWindow.milliseconds
    }

    mutating func add(_ event: ViewedEvent) throws {
        switch event.topic {
        case .requests: try self.add(sent: event)
        case .responses where event.event.knownType == .eventRejected: try self.add(rejection: event)
        case .responses: try self.change(event) { $0.add(response: event) }
        case .userActivities: try self.change(event) { $0.add(activity: event) }
        case .resolved, .confirmed, .signals, .journal, .deadLetters, .state: break
        }
    }

    /// Writes what has changed.
    func store() throws {
        for request in self.changed.sorted() { if let entry = self.entries[request] { try self.tables.store(entry) } }
        for (name, partition) in self.rejectedIn {
            if let rejection = self.rejections[name] { try self.tables.store(rejection, name, partition: partition) }
        }
    }

    // MARK: What clients send

    private mutating func add(sent event: ViewedEvent) throws {
        switch event.event.knownType {
        case .intentRequested: try self.add(request: event)
        case .promptAnswered:
            guard let prompt = event.event["promptId"]?.string.flatMap({ PromptID($0) }) else { return }
            try self.change(latest: prompt.interaction, event) { $0.add(sent: event, answering: prompt) }
        case .interactionCancelled, .appResponded:
            guard let id = event.event.subject else { return }
            try self.change(latest: id, event) { $0.add(sent: event) }
        default: break
        }
    }

    /// Adds a request, unless it is a client's retry, or another request under an id that is in use: those are ignored,
    /// or rejected (R8c).
    private mutating func add(request event: ViewedEvent) throws {
        let name = InteractionName(user: event.event.userID, id: self.id(of: event))
        let known = try self.requests(of: name)
        if !known.contains(event.position), let before = known.last(where: { $0 < event.position }),
            let entry = try self.entry(before), let at = entry.requestedAt ?? entry.begunAt,
            event.writtenAt - at < self.dedupeWindow
        {
            return
        }
        var content = ""
        event.event.fields.withView { content = RequestContent.digest(of: $0) }
        try self.change(event.position, name) { $0.add(request: event, content: content) }
    }

    /// The interaction's id: the client's, or the one that resolve generates.
    private func id(of event: ViewedEvent) -> InteractionID {
        if let subject = event.event.subject { return subject }
        let position = RecordPosition(.requests, event.partition, event.offset)
        let identifiers = TurnIdentifiers(deployment: self.deployment.id, stage: .resolve, position: position)
        return InteractionID(identifiers.id(generation: 0, ordinal: "s"))
    }

    // MARK: What stages write

    private mutating func add(rejection event: ViewedEvent) throws {
        guard let id = event.event.subject else { return }
        let name = InteractionName(user: event.event.userID, id: id)
        var rejection = try self.rejections[name] ?? self.tables.rejection(name) ?? InteractionRejection()
        rejection.add(event)
        self.rejections[name] = rejection
        self.rejectedIn[name] = event.partition
        self.names.insert(name)
    }

    /// Changes the interaction that an event of a stage names by its request's position.
    private mutating func change(_ event: ViewedEvent, _ body: (inout InteractionEntry) -> Void) throws {
        guard let request = event.event.request.flatMap({ RequestPosition($0.text) }),
            request.partition == Int64(event.partition), let id = event.event.subject
        else { return }
        try self.change(request, InteractionName(user: event.event.userID, id: id), body)
    }

    // MARK: Entries

    /// Changes the latest interaction of an id that was requested before an event of the user.
    private mutating func change(
        latest id: InteractionID,
        _ event: ViewedEvent,
        _ body: (inout InteractionEntry) -> Void
    ) throws {
        let name = InteractionName(user: event.event.userID, id: id)
        guard let request = try self.requests(of: name).last(where: { $0 < event.position }) else { return }
        try self.change(request, name, body)
    }

    private mutating func change(
        _ request: RequestPosition,
        _ name: InteractionName,
        _ body: (inout InteractionEntry) -> Void
    ) throws {
        var requests = try self.requests(of: name)
        if !requests.contains(request) {
            requests.insert(request, at: requests.firstIndex { $0 > request } ?? requests.endIndex)
            self.requests[name] = requests
        }
        var entry = try self.entry(request) ?? InteractionEntry(request, name)
        // A request belongs to one interaction: what names it otherwise was not written by a stage.
        guard entry.name == name else { return }
        body(&entry)
        self.entries[request] = entry
        self.changed.insert(request)
        self.names.insert(name)
    }

    private mutating func entry(_ request: RequestPosition) throws -> InteractionEntry? {
        if let entry = self.entries[request] { return entry }
        let entry = try self.tables.entry(request)
        self.entries[request] = entry
        return entry
    }

    private mutating func requests(of name: InteractionName) throws -> [RequestPosition] {
        if let requests = self.requests[name] { return requests }
        let requests = try self.tables.requests(name)
        self.requests[name] = requests
        return requests
    }
}
