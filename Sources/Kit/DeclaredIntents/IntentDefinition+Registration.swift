public import IntentKit

extension IntentDefinition {
    /// The codes that declared intents report.
    static let codes: Set<String> = ["ready", "inProgress", "success", "failure", "failureRequiringAppLaunch"]

    /// Creates the registration for the registry.
    ///
    /// - Parameter handler: The Swift handler of the same name, where the definition says `swift`: it confirms and
    ///   handles, and resolves the parameters that it has methods for; the definition resolves the others.
    /// - Returns: A registration. The registry refuses it when the handler is missing, not wanted, or of another
    ///   intent.
    public func makeRegistration(handledBy handler: IntentRegistration? = nil) -> IntentRegistration {
        var registration = self.makeRecordingRegistration()
        switch (self.handling, handler) {
        case (.record, nil): break
        case (.http, nil):
            if let http { Self.post(to: http, in: &registration) }
        case (.service, nil):
            if let service { self.ask(service, in: &registration) }
        case (.record, _?), (.http, _?), (.service, _?):
            registration.problem =
                "\(self.name) is declared to be handled without Swift, yet has a Swift handler: declare \"swift\"."
        case (.swift, nil):
            registration.problem = "\(self.name) is declared to have a Swift handler: register one of that name."
        case (.swift, let handler?):
            if handler.intentName != self.name {
                registration.problem = "\(self.name) is declared, but its Swift handler is for \(handler.intentName)."
            } else if let problem = handler.problem {
                registration.problem = problem
            }
            registration.codes = handler.codes
            registration.appOnlyCodes = handler.appOnlyCodes
            registration.handlerName = handler.handlerName
            registration.handlerVersion = "\(handler.handlerVersion)+\(self.digest)"
            registration.usesLedger = handler.usesLedger
            registration.confirm = handler.confirm
            registration.handle = handler.handle
            registration.retry = handler.retry
            registration.undos = handler.undos
            registration.handleTimeout = handler.handleTimeout
            registration.appResponded = handler.appResponded
            for (name, known) in handler.constraints where known.isResolvedByHandler {
                registration.constraints[name]?.isResolvedByHandler = true
            }
            let declared = registration.resolve
            registration.resolve = { name, intent, context in
                if let outcome = try await handler.resolve(name, intent, context) { return outcome }
                return try await declared(name, intent, context)
            }
        }
        return registration
    }

    /// Makes a service carry the intent out.
    private static func post(to http: HTTPHandling, in registration: inout IntentRegistration) {
        registration.handlerName = "http"
        registration.codes.formUnion(http.codes.values)
        registration.retry = http.endpoint.retry?.policy
        registration.handle = { intent, context in
            // A scenario states the service's answer: nothing is posted.
            if let script = context.script { return HandlerResponse(code: script == "failure" ? "failure" : "success") }
            return try await HTTPPost(handling: http, intent: intent).handle(context)
        }
    }

    /// Makes a service resolve, confirm, handle and report status, as far as it does so.
    private func ask(_ service: ServiceHandling, in registration: inout IntentRegistration) {
        registration.handlerName = "service"
        registration.codes.formUnion(service.codes)
        registration.retry = service.endpoint.retry?.policy
        registration.postMark = service.looksUp ? ServiceCaller.postMark : nil
        let caller = ServiceCaller(parameters: self.parameters, codes: registration.codes, service: service)
        // A scenario states the service's answer: nothing is posted, and the definition does what it can by itself.
        let (resolve, confirm, handle) = (registration.resolve, registration.confirm, registration.handle)
        if service.resolves {
            for parameter in self.parameters { registration.constraints[parameter.name]?.isResolvedByHandler = true }
            registration.resolveAll = { open, intent, context in
                guard context.script != nil else { return try await caller.resolve(open, intent, context) }
                var outcomes: [String: ParameterOutcome] = [:]
                for name in open { outcomes[name] = try await resolve(name, intent, context) }
                return outcomes
            }
        }
        if service.confirms {
            registration.confirm = { intent, context in
                guard context.script != nil else { return try await caller.confirm(intent, context) }
                return try await confirm(intent, context)
            }
        }
        registration.handle = { intent, context in
            guard context.script != nil else {
                return service.undo == nil
                    ? try await caller.handle(intent, context) : try await caller.handleUndoably(intent, context)
            }
            var response = try await handle(intent, context)
            response.details = [:]
            return response
        }
        if let undo = service.undo {
            registration.usesLedger = true
            registration.undos[self.name] = EffectUndo(within: undo.within) { result, intent, context in
                guard context.script != nil else { return try await caller.undo(intent, result, context) }
                return .called(.null)
            }
        }
        guard let updates = service.statusUpdates else { return }
        registration.statusUpdates = updates
        registration.statusUpdate = { intent, context in
            guard context.script != nil else { return try await caller.status(intent, context) }
            return (HandlerResponse(code: nil), true)
        }
    }

    /// The registration of an intent whose record is its effect.
    private func makeRecordingRegistration() -> IntentRegistration {
        var registration = IntentRegistration(
            intentName: self.name,
            title: self.title,
            parameters: self.parameters.map(\.description),
            codes: Self.codes,
            confirmation: self.confirmation,
            isFinancial: self.isFinancial,
            handlerName: "record",
            handlerVersion: self.digest,
            usesLedger: false,
            resolve: { name, intent, context in
                // By index: a definition is large to copy.
                self.parameters.indices.first { self.parameters[$0].name == name }
                    .map { index in
                        let lookup = WordLookup.asking(
                            context,
                            intent: self.name,
                            parameter: name,
                            in: self.parameters[index].vocabulary
                        )
                        return self.parameters[index].outcome(for: intent.parameters[name], lookup)
                    }
            },
            complete: { self.withDefaults($0) },
            confirm: { intent, _ in HandlerResponse(code: "ready", details: intent.parameters) },
            handle: { intent, context in
                let code = context.script == "failure" ? "failure" : "success"
                return HandlerResponse(code: code, details: intent.parameters)
            },
            dialog: { parameter, locale in self.parameter(parameter)?.prompt(locale: locale) }
        )
        registration.confirmedBy = self.confirmedBy
        registration.isReadOnly = self.isReadOnly
        for parameter in self.parameters { registration.constraints[parameter.name] = parameter.constraints }
        return registration
    }

    /// The intent with the defaults of the parameters that are still missing (R50).
    private func withDefaults(_ intent: IntentSnapshot) -> IntentSnapshot {
        var intent = intent
        // By index: a definition is large to copy.
        for index in self.parameters.indices {
            guard let value = self.parameters[index].defaultValue else { continue }
            let parameter = self.parameters[index]
            if intent.parameters[parameter.name].map(parameter.isMissing) ?? true {
                intent.parameters[parameter.name] = value
            }
        }
        return intent
    }

    /// The digest that distinguishes this definition from any other version of it: 64-bit FNV-1a of its canonical text,
    /// in hex.
    var digest: String {
        let hash = self.source.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        let hex = String(hash, radix: 16)
        return String(repeating: "0", count: 16 - hex.count) + hex
    }
}

extension ParameterDefinition {
    /// The constraints on its values that are known beforehand.
    fileprivate var constraints: ParameterConstraints {
        var constraints = ParameterConstraints(
            isRequired: self.isRequired,
            values: self.values,
            minimum: self.minimum,
            maximum: self.maximum,
            pattern: self.pattern,
            defaultValue: self.defaultValue
        )
        constraints.displays = self.displays
        return constraints
    }

    var description: ParameterDescription {
        ParameterDescription(
            name: self.name,
            title: self.title,
            typeName: self.type.rawValue,
            isList: self.isList,
            dependsOn: self.dependsOn,
            isSensitive: self.isSensitive,
            isSearchable: self.isSearchable,
            accepts: { self.accepts($0) },
            isMissing: { self.type.isMissing($0) }
        )
    }
}
