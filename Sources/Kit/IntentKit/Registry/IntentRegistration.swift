/// An intent with its handler, as the registry keeps it: without types.
public struct IntentRegistration: Sendable {
    /// The intent's name on the wire.
    public var intentName: String
    public var title: LocalizedText?
    /// The parameters in the order in which they are resolved.
    public var parameters: [ParameterDescription]
    /// The names of the intent's response codes.
    public var codes: Set<String>
    /// Those of the codes that only the app may report (R33).
    public var appOnlyCodes: Set<String> = []
    /// Who decides whether the user is asked.
    public var confirmation: ConfirmationPolicy
    /// Whether the intent is financial or cannot be undone: always confirmed, whatever the configuration says.
    public var isFinancial: Bool
    /// Who may say yes when the intent is to be confirmed; nil for the user where it is financial, else an agent too.
    public var confirmedBy: ConfirmingParty?
    /// Whether it only looks something up; a hint for agents, on which no turn depends.
    public var isReadOnly = false
    /// The handler's name, for the journal.
    public var handlerName: String
    /// The handler's version, for the journal: change it when the handler's decisions change.
    public var handlerVersion: String
    /// Whether the handler makes effects through ``TurnContext/effect(_:_:)->_``; if not, no ledger is kept.
    public var usesLedger: Bool
    /// How often `handle` is tried again after a transient error; nil for ``RetryPolicy/standard``.
    public var retry: RetryPolicy?
    /// How long `handle` may take; nil for the extension's or the configured limit (R32).
    public package(set) var handleTimeout: Duration?
    /// How its effects are undone, by their names (R75).
    package var undos: [String: EffectUndo] = [:]
    /// Whether the stage `handle` undoes another interaction instead of calling it (R75g).
    package var undoesInteractions = false
    /// The step that `handle` commits before it posts what must not be posted twice unasked (R76); nil for none.
    package var postMark: String?

    /// The step that a redriven interaction has after an operator decided that nothing had been done.
    package static func clearance(of mark: String) -> String { "\(mark).notDone" }

    /// What is declared about the parameters' values, by name on the wire: prompts use it to offer values and to
    /// explain.
    package var constraints: [String: ParameterConstraints] = [:]
    /// What is wrong with the registration itself, found when it was made and thrown by the registry.
    package var problem: String?

    /// Resolves a parameter; nil where the value is used as it is.
    package var resolve: @Sendable (String, IntentSnapshot, TurnContext) async throws -> ParameterOutcome?
    /// Resolves all open parameters at once, given by name in declared order; nil if each is resolved by itself.
    ///
    /// It need not answer for all of them: it is called again when the turn reaches one without an answer.
    package var resolveAll:
        (@Sendable ([String], IntentSnapshot, TurnContext) async throws -> [String: ParameterOutcome])?
    /// Runs when every parameter is settled: fills in defaults (R50).
    package var complete: @Sendable (IntentSnapshot) -> IntentSnapshot
    /// The dry run.
    package var confirm: @Sendable (IntentSnapshot, TurnContext) async throws -> HandlerResponse
    package var handle: @Sendable (IntentSnapshot, TurnContext) async throws -> HandlerResponse
    /// Handles the app's report about what was handed to it; nil if the handler has no such part.
    package var appResponded: (@Sendable (HandlerResponse, IntentSnapshot, TurnContext) async throws -> Void)?
    /// How often the user gets status updates; nil if the terminal response is the last message.
    public package(set) var statusUpdates: StatusUpdates?
    /// Reports the state after the terminal response, and whether it is the last report.
    package var statusUpdate:
        @Sendable (IntentSnapshot, TurnContext) async throws -> (response: HandlerResponse, isLast: Bool) = { _, _ in
            (HandlerResponse(code: nil), true)
        }
    /// The intent's own prompt for that parameter in that locale, if it has one.
    package var dialog: @Sendable (_ parameter: String, _ locale: String) -> String?
    /// The texts of prompt files, for this intent and for all.
    package var prompts = PromptTexts()

    /// Registers a typed handler.
    ///
    /// - Parameters:
    ///   - version: The handler's version; journal and replay name it.
    ///   - confirmation: Who decides whether the user is asked.
    ///   - isFinancial: Whether it moves money or cannot be undone.
    ///   - confirmedBy: Who may say yes; nil for the user where it is financial, else an agent too.
    ///   - isReadOnly: Whether it only looks something up.
    ///   - usesLedger: Whether it makes effects through the context.
    ///   - retry: How often `handle` is tried again after a transient error; nil for ``RetryPolicy/standard``.
    ///   - makeHandler: Makes the handler; called once.
    public init<Handler: IntentHandler>(
        version: String = "1",
        confirmation: ConfirmationPolicy = .byHandler,
        isFinancial: Bool = false,
        confirmedBy: ConfirmingParty? = nil,
        isReadOnly: Bool = false,
        usesLedger: Bool = true,
        retry: RetryPolicy? = nil,
        _ makeHandler: () -> Handler
    ) {
        typealias Handled = Handler.HandledIntent
        let intent = IntentDescription<Handled>.known()
        let steps = ResolvingSteps(intent, makeHandler().handling)
        let parts = steps.parts
        self.intentName = Handled.intentName
        self.title = Handled.title
        self.parameters = intent.members.map(\.description)
        self.codes = Set(Handled.Code.allCases.map(\.rawValue))
        self.appOnlyCodes = Set(Handled.Code.appOnly.map(\.rawValue))
        self.confirmation = confirmation
        self.isFinancial = isFinancial
        self.confirmedBy = confirmedBy
        self.isReadOnly = isReadOnly
        self.handlerName = String(describing: Handler.self)
        self.handlerVersion = version
        self.usesLedger = usesLedger
        self.retry = retry
        self.handleTimeout = parts.handleTimeout
        self.problem =
            intent.problem ?? steps.problem(of: Handler.self)
            ?? retry?.problem.map { "The retry policy of \(Handled.intentName) is invalid: \($0) (R76)." }
        if !parts.undos.isEmpty, !usesLedger, self.problem == nil {
            self.problem =
                "\(Handler.self) undoes effects, and is registered with usesLedger: false: it has none (R75)."
        }
        for part in parts.undos { self.undos[part.effect] = EffectUndo(part, intent) }
        self.constraints = steps.constraints
        self.resolve = { try await steps.outcome(of: $0, $1, $2) }
        self.complete = { intent.completed($0) }
        let confirm = parts.confirms.first
        self.confirm = { snapshot, context in
            guard let confirm else { return HandlerResponse(code: Handled.Code.ready.rawValue) }
            return HandlerResponse(try await confirm(intent.intent(snapshot.parameters), context))
        }
        let handle = parts.handles.first
        self.handle = { snapshot, context in
            guard let handle else { return HandlerResponse(code: nil) }
            return HandlerResponse(try await handle(intent.intent(snapshot.parameters), context))
        }
        let appResponded = parts.appResponses.first
        self.appResponded = { report, snapshot, context in
            guard let appResponded, let code = report.code.flatMap(Handled.Code.init(rawValue:)) else { return }
            let response = IntentResponse<Handled>(code: code, details: report.details)
            try await appResponded(response, intent.intent(snapshot.parameters), context)
        }
        self.dialog = { intent.prompt($0, locale: $1) }
        if let check = parts.updates.first, let updates = check.updates {
            self.statusUpdates = updates
            self.statusUpdate = { snapshot, context in
                let update = try await check.body(intent.intent(snapshot.parameters), context)
                return (HandlerResponse(update.response), update.isLast)
            }
        }
    }

    /// Registers an intent that has no Swift type, such as one declared in a file.
    package init(
        intentName: String,
        title: LocalizedText?,
        parameters: [ParameterDescription],
        codes: Set<String>,
        confirmation: ConfirmationPolicy,
        isFinancial: Bool,
        handlerName: String,
        handlerVersion: String,
        usesLedger: Bool,
        resolve: @escaping @Sendable (String, IntentSnapshot, TurnContext) async throws -> ParameterOutcome?,
        complete: @escaping @Sendable (IntentSnapshot) -> IntentSnapshot,
        confirm: @escaping @Sendable (IntentSnapshot, TurnContext) async throws -> HandlerResponse,
        handle: @escaping @Sendable (IntentSnapshot, TurnContext) async throws -> HandlerResponse,
        dialog: @escaping @Sendable (_ parameter: String, _ locale: String) -> String?
    ) {
        self.intentName = intentName
        self.title = title
        self.parameters = parameters
        self.codes = codes
        self.confirmation = confirmation
        self.isFinancial = isFinancial
        self.handlerName = handlerName
        self.handlerVersion = handlerVersion
        self.usesLedger = usesLedger
        self.resolve = resolve
        self.complete = complete
        self.confirm = confirm
        self.handle = handle
        self.dialog = dialog
    }

    /// The effective policy: financial intents are always confirmed (R29).
    package var effectiveConfirmation: ConfirmationPolicy { self.isFinancial ? .always : self.confirmation }

    /// Who may say yes when the intent is to be confirmed (R89).
    package var effectiveConfirmingParty: ConfirmingParty { self.confirmedBy ?? (self.isFinancial ? .user : .agent) }
}

/// Who may say yes when an intent is to be confirmed (R89).
public enum ConfirmingParty: String, Sendable, CaseIterable {
    /// Only the user, with a token that was not issued to an agent.
    case user
    /// The user, or an agent for the user.
    case agent
}

/// Who decides whether the user is asked before an intent is handled (R29).
public enum ConfirmationPolicy: String, Sendable, CaseIterable {
    case always
    case never
    /// The user is asked when `confirm`'s response requires it.
    case byHandler
}
