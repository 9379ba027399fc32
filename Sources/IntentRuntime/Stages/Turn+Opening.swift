internal import IntentEvents
internal import IntentKit

extension Turn {
    /// Begins an interaction (R8, R15, R26, R27), or recognises a client's retry.
    func open() async throws {
        let request = self.readRequest(
            self.event,
            self.input.stored,
            startedAt: self.input.firstTriedAt ?? self.now
        )
        var interaction = request.interaction
        if let known = self.known(interaction.id), self.now - known.startedAt < self.settings.dedupeWindow.milliseconds
        {
            guard known.content == nil || known.content == interaction.content else {
                self.reject(.idConflict, "The id \(interaction.id) was used for another request: take a new one.")
                return
            }
            self.record.interactionID = interaction.id
            self.record.request = known.request
            return
        }
        interaction.turns = 1
        self.interaction = interaction
        self.record.opened = true
        if let problem = request.problem {
            self.end(.invalidRequest, response: HandlerResponse(code: nil, details: ["error": .string(problem + ".")]))
            return
        }
        guard let entry = self.environment.registry[interaction.intent.name] else {
            self.end(.unsupportedIntent)
            return
        }
        guard interaction.user.authorization == .authorized else {
            self.end(.notAuthorized)
            return
        }
        interaction.intent.parameters = [:]
        self.interaction = interaction
        self.setParameters(request.interaction.intent.parameters)
        guard try await !self.endIfOverdue() else { return }
        if entry.isRestrictedWhileLocked && interaction.device.isLocked ?? true {
            self.ask(.unlockRequired)
            return
        }
        try await self.resolveParameters()
    }

    /// Reads a request, and journals whether it is one that was sent again as it claims (R48).
    func readRequest(_ event: Event, _ stored: StoredRecord, startedAt: Timestamp) -> RequestReader {
        let verdict = self.environment.redrive.verdict(on: event, at: stored.position, of: self.environment.deployment)
        self.record.isRedriven = verdict
        return RequestReader(
            event,
            stored: stored,
            identifiers: self.identifiers,
            isRedriven: verdict ?? false,
            startedAt: startedAt
        )
    }

    /// Takes an interaction back from confirm, with the user's corrections (R12, R22).
    func takeBack() async throws {
        guard var interaction = try await self.passedInteraction() else { return }
        interaction.turns += 1
        self.interaction = interaction
        guard try await !self.endIfOverdue() else { return }
        self.setParameters(self.event["corrections"]?.object ?? [:])
        try await self.resolveParameters()
    }

    /// Gives parameters new values, in name order; each is resolved again, and so are those that depend on it.
    ///
    /// Unknown names are kept as ignored; a value of the wrong type, or too large, is refused when its turn comes
    /// (R25).
    func setParameters(_ values: JSONObject) {
        guard let name = self.interaction?.intent.name, let entry = self.environment.registry[name] else { return }
        // Names whose bytes are in order may be in another one as texts.
        let isInOrder = values.indices.dropFirst().allSatisfy { values[$0 - 1].key < values[$0].key }
        for (name, value) in isInOrder ? Array(values) : values.sorted(by: { $0.key < $1.key }) {
            guard let parameter = entry.registration.parameters.first(where: { $0.name == name }) else {
                self.interaction?.ignore(name)
                continue
            }
            self.interaction?.set(parameter, to: value)
            self.interaction?.unsettle(name, entry.registration.parameters)
        }
    }
}

extension Interaction {
    /// Notes a parameter that the intent does not have; so many, and so much of each name.
    mutating func ignore(_ name: String) {
        guard !self.ignoredParameters.contains(name), self.ignoredParameters.count < 100 else { return }
        self.ignoredParameters.append(String(name.prefix(256)))
    }

    /// Gives a parameter a value as it came; what has the wrong type is refused, in a list each value for itself when
    /// its turn comes (R20).
    mutating func set(_ parameter: ParameterDescription, to value: JSONValue) {
        self.refused[parameter.name] = nil
        guard !value.isNull else {
            self.intent.parameters[parameter.name] = nil
            return
        }
        let elements = parameter.isList ? value.array ?? [value] : [value]
        guard ParameterLimits.allows(value), parameter.isList || parameter.accepts(value) else {
            self.intent.parameters[parameter.name] = nil
            self.refused[parameter.name] = ParameterLimits.allows(value) ? value : "(too large)"
            return
        }
        self.intent.parameters[parameter.name] = parameter.isList ? .array(elements) : value
    }

    /// Has a parameter resolved again, and those that depend on it (R18).
    mutating func unsettle(_ name: String, _ parameters: [ParameterDescription]) {
        self.unsettle(name)
        guard parameters.contains(where: { $0.dependsOn.contains(name) }) else { return }
        var names = [name]
        var seen: Set<String> = []
        while let next = names.popLast() {
            guard seen.insert(next).inserted else { continue }
            self.unsettle(next)
            names.append(contentsOf: parameters.filter { $0.dependsOn.contains(next) }.map(\.name))
        }
    }
}
