import IntentKit

/// The expected course of one conversation, event by event: the contract's rules as a simple simulation.
///
/// It shares nothing with the processor: no stages, no state on a topic, no concurrency. Each call is one event.
struct ModelConversation: Sendable {
    /// The phase of the interaction.
    enum Phase: String, Sendable {
        case resolve
        case confirm
        case handle
        /// Handed to the app, whose answer is awaited.
        case app
        /// Over.
        case ended
    }

    /// The number of answers that may fail to resolve a value (R24).
    private static let maximumAttempts = 3
    /// The number of attempts of a turn with a transient error (R35).
    private static let maximumTries = 8

    /// The intent; nil when nobody supports it.
    let intent: ModelIntent?
    let script: Script
    private(set) var phase = Phase.resolve
    /// Whether a handler runs that never answers.
    private(set) var isHanging = false
    private(set) var prompts: [ModelPrompt] = []
    private(set) var rejections: [String] = []
    /// `intent.responded` so far.
    private(set) var responses = 0
    private(set) var end: ModelEnd?
    /// Whether an effect has happened.
    private(set) var hasEffect = false
    /// Events that went to dead letters.
    private(set) var deadLetters = 0
    /// User activities that were published.
    private(set) var activities = 0
    /// Notifications that were sent beside responses.
    private(set) var notifications = 0
    /// Whether an answer that acted had a member that no rule knows.
    var saysMistake = false

    private var isAuthenticated = true
    private var values: JSONObject = [:]
    private var ignored: Set<String> = []
    private var settled: Set<String> = []
    /// The parameters about which a later stage asks (R72c).
    private var asked: Set<String> = []
    private var attempts: [Question: Int] = [:]

    /// What attempts count for (R24): a value of a parameter, or one offer of it.
    private struct Question: Hashable {
        var parameter: String?
        var index: Int?
        /// The values on offer; empty when the user is asked for any value.
        var offer: Set<String>

        init(_ prompt: ModelPrompt) {
            self.parameter = prompt.parameter
            self.index = prompt.index
            let isOffer = prompt.kind == "disambiguation" || prompt.kind == "confirmationRequired"
            self.offer = isOffer ? Set(prompt.options) : []
        }
    }

    init(_ intent: ModelIntent?, script: Script) {
        self.intent = intent
        self.script = script
    }

    /// The number of the open prompt, from 1.
    var openPrompt: Int? {
        self.prompts.last?.fate == .open ? self.prompts.count : nil
    }

    // MARK: Requests

    /// What is wrong with a request before its values are checked.
    enum Flaw: Sendable {
        case notAuthorized
        case expired
        case malformed
    }

    /// The request: its flaws first, then lock, then values (R15, R24, R26, R27).
    mutating func request(_ parameters: JSONObject, flaw: Flaw?, isLocked: Bool, isAuthenticated: Bool) {
        self.isAuthenticated = isAuthenticated
        guard let intent = self.intent else {
            self.finish("unsupportedIntent", code: nil)
            self.end?.ignored = nil
            return
        }
        switch flaw {
        case .malformed, .notAuthorized:
            self.finish(flaw == .malformed ? "invalidRequest" : "notAuthorized")
            self.end?.ignored = nil
            return
        case .expired:
            self.correct(parameters)
            return self.finish("timeout")
        case nil: break
        }
        self.correct(parameters)
        if intent.isFinancial || intent.isRestricted, isLocked { return self.ask(ModelPrompt(kind: "unlockRequired")) }
        self.resolve()
    }

    /// The user's device was unlocked.
    mutating func unlock() {
        guard self.openPrompt != nil, self.prompts.last?.kind == "unlockRequired" else { return }
        self.prompts[self.prompts.count - 1].fate = .duplicate
        self.resolve()
    }

    /// The user signed in.
    mutating func signIn() {
        guard self.openPrompt != nil, self.prompts.last?.kind == "authenticationRequired" else { return }
        self.prompts[self.prompts.count - 1].fate = .duplicate
        self.isAuthenticated = true
        self.confirm(isAccepted: false)
    }

    // MARK: Answers

    /// An answer to a prompt of this conversation, from 1 (R22, R23).
    mutating func answer(_ number: Int, _ answer: ModelAnswer) {
        guard self.prompts.indices.contains(number - 1) else { return self.reject("unknown") }
        let prompt = self.prompts[number - 1]
        guard prompt.fate == .open else { return self.reject(prompt.fate.rawValue) }
        self.prompts[number - 1].fate = .duplicate
        if case .cancel = answer.reply { return self.finish("abortedByUser") }
        if !answer.onlyCorrectsOthers(than: prompt.parameter) {
            self.attempts[Question(prompt)] = prompt.attempt + 1
        }
        if prompt.kind == "intentConfirmation" {
            self.applyConfirmation(answer, to: prompt)
        } else {
            self.applyValue(answer, to: prompt)
        }
    }

    /// An event that is rejected whatever the state of the conversation.
    mutating func reject(_ reason: String) { self.rejections.append(reason) }

    private mutating func applyConfirmation(_ answer: ModelAnswer, to prompt: ModelPrompt) {
        if !answer.corrections.isEmpty {
            self.attempts = [:]
            self.correct(answer.corrections)
            self.phase = .resolve
            return self.resolve()
        }
        switch answer.reply {
        case .yes, .value(true):
            self.attempts = [:]
            self.confirm(isAccepted: true)
        case .no, .value(false): self.finish("declined")
        case .value, .choice, .number: self.ask(prompt)
        case .cancel: break
        }
    }

    private mutating func applyValue(_ answer: ModelAnswer, to prompt: ModelPrompt) {
        guard let name = prompt.parameter else { return }
        self.correct(answer.corrections)
        switch answer.reply {
        case .value(let value): self.replace(name, prompt.index, by: value)
        case .number(let index): self.replace(name, prompt.index, by: .string(prompt.options[index]))
        case .choice(let index) where prompt.kind != "confirmationRequired" && prompt.options.indices.contains(index):
            self.replace(name, prompt.index, by: .string(prompt.options[index]))
        case .yes where prompt.kind == "confirmationRequired":
            self.replace(name, prompt.index, by: .string(prompt.options[0]))
        case .no where answer.corrections.isEmpty:
            return self.ask(ModelPrompt(kind: "needsValue", parameter: name, index: prompt.index))
        case .choice, .yes, .no, .cancel:
            if answer.corrections.isEmpty { return self.ask(prompt) }
        }
        self.resolve()
    }

    private mutating func correct(_ values: JSONObject) {
        for (name, value) in values {
            guard let parameter = self.intent?.parameters.first(where: { $0.name == name }) else {
                self.ignored.insert(name)
                continue
            }
            self.settled.remove(name)
            self.asked.remove(name)
            self.values[name] = parameter.isList && value.array == nil && !value.isNull ? [value] : value
        }
    }

    private mutating func replace(_ name: String, _ index: Int?, by value: JSONValue) {
        if let index, var list = self.values[name]?.array, list.indices.contains(index), value.array == nil {
            list[index] = value
            self.correct([name: .array(list)])
        } else {
            self.correct([name: value])
        }
    }

    // MARK: Resolve

    /// Resolves one parameter after the other in declared order (R18 to R21, R50).
    private mutating func resolve() {
        guard let intent = self.intent else { return }
        for (index, parameter) in intent.parameters.enumerated() where !self.settled.contains(parameter.name) {
            if self.asked.contains(parameter.name) {
                return self.ask(ModelPrompt(kind: "needsValue", parameter: parameter.name))
            }
            let value = self.values[parameter.name] ?? .null
            let isOfWrongType = parameter.isAllOfWrongType(value)
            if intent.isScripted, index == 0, !isOfWrongType {
                guard self.act(self.script.resolve) else { return }
                if let ends = self.script.ends, value == ends {
                    return self.finish(reportedWith: ScriptedHandler.endingCode)
                }
            }
            guard self.settle(parameter, value) else { return }
            self.settled.insert(parameter.name)
            self.attempts = self.attempts.filter { $0.key.parameter != parameter.name }
        }
        for parameter in intent.parameters where self.values[parameter.name] == nil {
            self.values[parameter.name] = parameter.defaultValue
        }
        self.phase = .confirm
        self.confirm(isAccepted: false)
    }

    /// Resolves one parameter, or asks.
    private mutating func settle(_ parameter: ModelParameter, _ value: JSONValue) -> Bool {
        let name = parameter.name
        if value.isNull || parameter.isList && value == [] || !parameter.isList && parameter.judge(value) == .missing {
            self.values[name] = nil
            if parameter.isRequired { self.ask(ModelPrompt(kind: "needsValue", parameter: name)) }
            return !parameter.isRequired
        }
        var list = value.array.flatMap { parameter.isList ? $0 : nil } ?? [value]
        var open: (index: Int, judgement: ModelParameter.Judgement)?
        for index in list.indices {
            let judgement = parameter.judge(list[index])
            if case .good(let good) = judgement {
                list[index] = good
                let settled = parameter.isList ? index : nil
                self.attempts = self.attempts.filter { $0.key.parameter != name || $0.key.index != settled }
            } else {
                open = open ?? (index, judgement)
            }
        }
        self.values[name] = parameter.isList ? .array(list) : list[0]
        guard let open else { return true }
        var prompt = ModelPrompt(kind: "unsupported", parameter: name, index: parameter.isList ? open.index : nil)
        if case .choice(let options) = open.judgement {
            prompt.kind = options.count == 1 ? "confirmationRequired" : "disambiguation"
            prompt.options = options
        }
        self.ask(prompt)
        return false
    }

    private mutating func ask(_ prompt: ModelPrompt) {
        var prompt = prompt
        prompt.attempt = self.attempts[Question(prompt)] ?? 0
        prompt.fate = .open
        if prompt.kind == "needsValue" || prompt.kind == "unsupported",
            case .words(let words)? = self.intent?.parameters.first(where: { $0.name == prompt.parameter })?.kind
        {
            // The allowed values of a parameter are offered (R63).
            prompt.options = words
        }
        guard prompt.attempt < Self.maximumAttempts else { return self.finish("tooManyAttempts") }
        self.prompts.append(prompt)
    }

    // MARK: Confirm and handle

    /// The dry run, and the request for confirmation (R26, R28, R29).
    private mutating func confirm(isAccepted: Bool) {
        guard let intent = self.intent else { return }
        var isAsked = intent.isFinancial || intent.confirmation == .always
        var showsNews = false
        if intent.isScripted {
            guard self.act(self.script.confirm) else { return }
            if self.script.wantsSignIn, !self.isAuthenticated {
                return self.ask(ModelPrompt(kind: "authenticationRequired"))
            }
            if self.goesBack(fromHandle: false) { return }
            let code = self.script.confirm.code ?? "ready"
            if code != "ready", code != "success" { return self.finish(reportedWith: code) }
            if intent.confirmation == .byHandler, self.script.wantsYes { isAsked = true }
            showsNews = self.script.showsNews
        }
        if isAsked, !isAccepted || showsNews { return self.ask(ModelPrompt(kind: "intentConfirmation")) }
        self.phase = .handle
        self.handle()
    }

    /// The handling (R30 to R33).
    private mutating func handle() {
        guard self.intent?.isScripted == true else {
            return self.finish(reportedWith: self.isFailure ? "failure" : "success")
        }
        if self.goesBack(fromHandle: true) { return }
        if self.script.hasEffect { self.hasEffect = true }
        guard self.act(self.script.handle) else { return }
        if self.script.notifies, self.script.handle.code != "ready" { self.notifications += 1 }
        switch self.script.handle.code ?? "success" {
        case "handleInApp", "inProgress":
            self.phase = .app
            self.responses += 1
            if self.script.handle.code == "handleInApp" { self.activities += 1 }
        case "ready":
            self.deadLetters += 1
            self.finish("error")
        case let code: self.finish(reportedWith: code)
        }
    }

    /// Goes back to resolve with a question, where a value is taken (R72c).
    ///
    /// - Returns: Whether it does.
    private mutating func goesBack(fromHandle isOfHandle: Bool) -> Bool {
        guard let taken = self.script.taken, taken.isOfHandle == isOfHandle,
            self.values[taken.parameter] == taken.value
        else { return false }
        self.attempts = [:]
        self.settled.remove(taken.parameter)
        self.asked.insert(taken.parameter)
        self.phase = .resolve
        self.resolve()
        return true
    }

    /// Whether the service of a recorded intent fails.
    var isFailure = false

    /// What a handler does besides reporting.
    ///
    /// - Returns: Whether it reports.
    private mutating func act(_ act: Script.Act) -> Bool {
        if act.hangs {
            self.isHanging = true
            return false
        }
        guard act.isBroken || act.transientFailures >= Self.maximumTries else { return true }
        self.deadLetters += 1
        self.finish("error")
        return false
    }

    // MARK: The end

    /// The app reports its result (R33).
    mutating func appResponds(_ code: String) {
        switch self.phase {
        case .resolve, .confirm, .handle: self.reject("unknown")
        case .ended: self.reject(self.end?.phase == "handle" ? "late" : "unknown")
        case .app:
            let isFinal = code == "success" || code == "continueInApp" || code.hasPrefix("failure")
            guard isFinal, ScriptedHandler.codes.contains(code) else { return self.reject("invalid") }
            self.finish(reportedWith: code, isApps: true)
        }
    }

    /// The user gives up (R5).
    mutating func cancel() {
        switch self.phase {
        case .ended: self.reject("late")
        case .app where self.hasEffect: self.reject("late")
        case .resolve, .confirm, .handle, .app:
            self.finish("abortedByUser")
            if self.isHanging {
                // The place where the cancellation overtakes it depends on timing.
                self.end?.phase = nil
                self.end?.parameters = nil
                // Nor is it specified whether the values that came with the last event were processed.
                self.end?.ignored = nil
            }
            self.isHanging = false
        }
    }

    /// A handler that never answers runs out of time (R32).
    mutating func runOutOfTime() {
        guard self.isHanging else { return }
        self.isHanging = false
        self.finish("timeout")
        self.end?.ignored = nil
    }

    private mutating func finish(reportedWith code: String, isApps: Bool = false) {
        let isDeferred = code == "continueInApp"
        let status = isDeferred ? "deferredToApplication" : code == "success" ? "success" : "failure"
        self.finish(
            endReason: status == "failure" ? "failed" : "nominal",
            code: code,
            status: status,
            effects: self.phase == .handle && self.hasEffect ? ["deed"] : isApps ? nil : []
        )
    }

    private mutating func finish(_ reason: String, code: String? = "failure") {
        self.finish(endReason: reason, code: code, status: "failure", effects: self.hasEffect ? nil : [])
    }

    private mutating func finish(endReason: String, code: String?, status: String, effects: [String]?) {
        if self.openPrompt != nil { self.prompts[self.prompts.count - 1].fate = .superseded }
        let phase = self.phase == .app ? "handle" : self.phase.rawValue
        self.end = ModelEnd(
            phase: phase,
            code: code,
            status: status,
            endReason: endReason,
            parameters: phase == "handle" ? self.values : nil,
            effects: effects,
            ignored: self.ignored
        )
        if status != "success", endReason != "abortedByUser" { self.activities += 1 }
        self.responses += 1
        self.phase = .ended
    }
}
