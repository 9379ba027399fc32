internal import IntentEvents

/// What waits in a stream of one user's events, and what comes next: a value.
///
/// A stream holds few events. One whose client does not keep up drops what does not fit, and reads it from the topics
/// when there is room again.
struct StreamBuffer {
    enum Mode {
        /// New events are appended as they come.
        ///
        /// Goes to `behind` when one does not fit.
        case live
        /// Events from ``position`` on are to be read from the topics; new ones are left to that.
        ///
        /// Goes to `joining` when reading begins, or to `ended`.
        case behind
        /// The topics are read up to a place; events after it are kept here meanwhile.
        ///
        /// Goes to `live` at that place, to `behind` when something does not fit, or to `ended`.
        case joining([GatewayEvent])
        /// Nothing follows what waits; final.
        case ended(GatewayError?)
    }

    static let eventLimit = 256
    static let byteLimit = 1 << 20

    private(set) var mode: Mode
    /// The place after the last event that was appended.
    private(set) var position: EventPosition
    private var events: ArraySlice<GatewayEvent> = []
    private var bytes = 0

    init(from position: EventPosition, isLive: Bool) {
        self.position = position
        self.mode = isLive ? .live : .behind
    }

    var isEmpty: Bool { self.events.isEmpty }

    /// Whether it waits for events to be read from the topics, and has room for them.
    var needsReading: Bool {
        if case .behind = self.mode { self.events.count <= Self.eventLimit / 2 } else { false }
    }

    mutating func take() -> GatewayEvent? {
        guard let event = self.events.popFirst() else { return nil }
        self.bytes -= event.body.count
        return event
    }

    /// Adds an event that has just come; true when there is something new for the stream.
    mutating func add(live event: GatewayEvent, _ topic: Topic, _ offset: Int64) -> Bool {
        switch self.mode {
        case .live:
            guard offset >= self.position[topic] else { return false }
            guard self.append(event, topic, offset) else {
                self.mode = .behind
                return false
            }
            return true
        case .joining(var pending):
            guard pending.count < Self.eventLimit else {
                self.mode = .behind
                return false
            }
            pending.append(event)
            self.mode = .joining(pending)
            return false
        case .behind, .ended: return false
        }
    }

    /// Begins to read from the topics.
    mutating func join() { if case .behind = self.mode { self.mode = .joining([]) } }

    /// Adds an event that was read from the topics; false once it takes no more.
    mutating func add(read event: GatewayEvent, _ topic: Topic, _ offset: Int64) -> Bool {
        guard case .joining = self.mode else { return false }
        guard offset >= self.position[topic] else { return true }
        guard self.append(event, topic, offset) else {
            self.mode = .behind
            return false
        }
        return true
    }

    /// The topics were read up to this place, and hold no more events of the user before it.
    mutating func pass(_ position: EventPosition) {
        guard case .joining = self.mode else { return }
        for topic in EventPosition.topics { self.position[topic] = max(self.position[topic], position[topic]) }
    }

    /// Everything was read up to the place from which events were kept.
    mutating func finishJoining() {
        guard case .joining(let pending) = self.mode else { return }
        self.mode = .live
        for event in pending {
            guard let topic = event.type.eventTopic else { continue }
            let offset = event.position[topic] - 1
            guard offset >= self.position[topic] else { continue }
            guard self.append(event, topic, offset) else {
                self.mode = .behind
                return
            }
        }
    }

    /// Reading has stopped before that place.
    mutating func stopJoining() { if case .joining = self.mode { self.mode = .behind } }

    mutating func end(_ error: GatewayError?) {
        if case .ended = self.mode { return }
        self.mode = .ended(error)
    }

    /// Appends an event with the place after it; false when there is no room.
    private mutating func append(_ event: GatewayEvent, _ topic: Topic, _ offset: Int64) -> Bool {
        guard self.events.count < Self.eventLimit, self.bytes < Self.byteLimit else { return false }
        var event = event
        self.position[topic] = offset + 1
        event.position = self.position
        self.events.append(event)
        self.bytes += event.body.count
        return true
    }
}

extension EventType {
    /// The topic on which users find events of this type; nil for others.
    var eventTopic: Topic? {
        switch self {
        case .promptIssued, .intentResponded, .statusUpdated, .userNotified, .eventRejected: .responses
        case .userActivityCreated: .userActivities
        case .intentRequested, .promptAnswered, .interactionCancelled, .deviceUnlocked, .userAuthenticated,
            .appResponded, .vocabularyReplaced, .vocabularyRemoved, .operatorDecided, .intentResolved,
            .intentConfirmed, .interactionReturned, .interactionResumed, .promptRecalled, .followUpScheduled,
            .timerFired, .operatorActed, .turnJournaled:
            nil
        }
    }
}
