internal import IntentEvents
internal import IntentKit

/// The end of an interaction that cannot be read: its user is notified, if the user can be determined (R9).
extension StageTurn {
    /// Removes an unreadable state entry, and ends the interaction that was lost with it.
    func discardEntry() async throws {
        guard let name = self.turn.event["entry"]?.string.map(StateName.init(_:)), let value = self.turn.state(name),
            !StateContent(name, value.utf8).isReadable
        else { return }
        let lost = self.interactionLost(with: name, value)
        self.turn.removeState(name)
        self.turn.endsParked = name == StateName.parked
        try await self.deadLetter(
            lost,
            error: "stateUnreadable",
            "The state entry \(name) of \(self.turn.stage) cannot be read."
        )
    }

    /// Sends an unreadable event to dead letters that passes an interaction on.
    func deadLetterPassedOn() async throws {
        var lost: Interaction?
        if let id = self.turn.event.subject, let request = self.turn.event.request {
            let origin = self.turn.event.passedThrough[EventHeaderName.redriveOf]
            lost = self.makeLost(id: id, request: request, origin: origin, self.turn.event["intent"])
        }
        try await self.deadLetter(lost, error: "malformed", "The event's interaction cannot be read.")
    }

    private func deadLetter(_ lost: Interaction?, error: String, _ detail: String) async throws {
        if let lost {
            try await self.turn.act(on: lost) { lost in
                let codes = self.turn.registered(lost)?.registration.codes ?? []
                try await self.turn.end(
                    &lost,
                    .error,
                    response: HandlerResponse(
                        code: codes.contains("failure") ? "failure" : nil,
                        details: ["error": .string("What was kept of this request cannot be read.")]
                    )
                )
            }
        } else {
            self.turn.record.outcome = .deadLettered
        }
        self.turn.output(.deadLetter(error: error, detail: detail))
    }

    /// The interaction that this stage owned and that was lost with an entry; nil when there was none, or it cannot be
    /// determined.
    private func interactionLost(with name: StateName, _ value: JSONValue) -> Interaction? {
        if name.hasPrefix(StateName.interactions) {
            let request = RequestID(
                String(decoding: name.utf8.dropFirst(StateName.interactions.utf8.count), as: UTF8.self)
            )
            guard let id = value["id"]?.string.map(InteractionID.init(_:)) ?? self.idRemembered(of: request) else {
                return nil
            }
            let origin = value["headers"]?[EventHeaderName.redriveOf]?.string
            return self.makeLost(id: id, request: request, origin: origin, value["intent"])
        }
        guard name == StateName.parked || name.hasPrefix(StateName.queue) else { return nil }
        let event = value["event"] ?? value
        var headers: [String: String] = [:]
        for header in event["headers"]?.array ?? [] {
            guard let pair = header.array, pair.count == 2, let name = pair[0].string else { continue }
            headers[name] = pair[1].string
        }
        let data = event["value"]?.string.flatMap { try? JSONValue(parsing: Array($0.utf8)) }
        switch headers[EventHeaderName.type].flatMap(EventType.init(rawValue:)) {
        case .intentRequested:
            let position = event["position"]?.string.flatMap(RecordPosition.init)
            guard let position, position.topic == .requests,
                let id = headers[EventHeaderName.subject] ?? value["interaction"]?.string
            else { return nil }
            return self.makeLost(
                id: InteractionID(id),
                request: "\(position.partition):\(position.offset)",
                origin: nil,
                data?["intent"]
            )
        case .intentResolved, .intentConfirmed, .interactionReturned:
            guard let id = headers[EventHeaderName.subject], let request = headers[EventHeaderName.request] else {
                return nil
            }
            return self.makeLost(
                id: InteractionID(id),
                request: RequestID(request),
                origin: headers[EventHeaderName.redriveOf],
                data?["intent"] ?? data?["interaction"]?["intent"]
            )
        default:
            // Any such entry is about an interaction that is kept under a name of its own.
            return nil
        }
    }

    /// The id under which this stage remembers an interaction.
    private func idRemembered(of request: RequestID) -> InteractionID? {
        self.turn.stateNames(prefix: StateName.knownInteractions)
            .lazy
            .map {
                InteractionID(
                    String(decoding: $0.utf8.dropFirst(StateName.knownInteractions.utf8.count), as: UTF8.self)
                )
            }
            .first { self.turn.known($0)?.request == request }
    }

    /// Makes as much of an interaction as is needed to end it.
    ///
    /// - Parameters:
    ///   - id: Its id.
    ///   - request: The position of its request.
    ///   - origin: The request whose effects it shares, if it was redriven and its entry or event still says so.
    ///   - intent: Its intent, as far as it can be read.
    /// - Returns: The interaction; nil when it has ended already.
    private func makeLost(
        id: InteractionID,
        request: RequestID,
        origin: String?,
        _ intent: JSONValue?
    ) -> Interaction? {
        if let known = self.turn.known(id), known.request == request, known.whereabouts == .ended { return nil }
        var lost = Interaction(
            id: id,
            request: request,
            startedAt: self.turn.now,
            user: RequestingUser(id: self.turn.event.userID.text),
            device: RequestingDevice(),
            locale: "en-US",
            intent: intent.flatMap(IntentSnapshot.init(json:))
                ?? IntentSnapshot(name: intent?["name"]?.string ?? "unknown")
        )
        if self.turn.environment.namesHeldEffects { lost.passedThrough[EventHeaderName.redriveOf] = origin }
        return lost
    }
}
