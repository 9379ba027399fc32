import IntentEvents
import IntentKit
import IntentLab
import IntentScenarios

/// Generates conversations, using a model that knows the state of each one after every event.
struct ScenarioGenerator {
    /// The prefix of the ids of the run's interactions.
    static func runID(seed: UInt64) -> String { "g\(seed)" }

    private let seed: UInt64
    private let catalogue: Catalogue

    init(seed: UInt64, catalogue: Catalogue) {
        self.seed = seed
        self.catalogue = catalogue
    }

    /// The scenario of that number: always the same.
    func makeScenario(_ number: Int) -> GeneratedScenario {
        var random = SeededNumbers(seed: self.seed &* 1_000_003 &+ UInt64(number))
        let intent = random.chance(2) ? nil : random.pick(self.catalogue.intents)
        var script = Self.makeScript(for: intent, &random)
        // Every fifth user comes back: their scenarios are played one after the other.
        let userID: UserID = "user-\(self.seed)-\(number - number % 5 + min(number % 5, 3))"
        var scenario = Scenario(
            name: "\(number)",
            userID: userID,
            intent: IntentSnapshot(name: intent?.name ?? "NobodyHandlesThis")
        )
        for parameter in intent?.parameters ?? [] where random.chance(60) {
            scenario.intent.parameters[parameter.name] = Sayings.value(for: parameter, goodIn: 65, &random)
        }
        if random.chance(10) { scenario.intent.parameters["unheardOf"] = ["a": [1, "b"]] }
        if let intent, intent.isScripted { Self.refuse(scenario.intent.parameters, of: intent, in: &script, &random) }
        var model = ModelConversation(intent, script: script)
        scenario.timeZone = random.chance(50) ? random.pick(["Europe/Berlin", "Asia/Tokyo", "Nowhere/Land"]) : nil
        if intent?.isScripted == true {
            scenario.service = script.text
        } else {
            scenario.service = random.chance(15) ? "failure" : "success"
            model.isFailure = scenario.service == "failure"
        }
        Self.request(&scenario, &model, &random)
        var steps = StepWriter(runID: Self.runID(seed: self.seed), scenario: scenario, model: model, random: random)
        steps.write()
        scenario.steps = steps.steps
        scenario.expect.rejections = steps.model.rejections
        return GeneratedScenario(seed: self.seed, number: number, scenario: scenario, expected: steps.model)
    }

    /// Sends the request: with at most one flaw.
    private static func request(
        _ scenario: inout Scenario,
        _ model: inout ModelConversation,
        _ random: inout SeededNumbers
    ) {
        var flaw: ModelConversation.Flaw?
        var isLocked = model.intent?.isRestricted == true || model.intent?.isFinancial == true
        var device: JSONObject = ["id": "phone"]
        var isAuthenticated = true
        if !random.chance(30) {
            isLocked = random.chance(35)
            device["locked"] = .bool(isLocked)
        }
        // When a request for an unsupported intent has several flaws, their order of precedence is unspecified.
        switch Int.random(in: model.intent == nil ? 7..<100 : 0..<100, using: &random) {
        case 0..<3:
            flaw = .notAuthorized
            scenario.userDetails["authorization"] = random.pick(["denied", "restricted", "notDetermined"])
        case 3..<5:
            flaw = .expired
            scenario.expiresAt = "2020-02-29T23:59:59Z"
        case 5..<6:
            flaw = .malformed
            scenario.expiresAt = "soon"
        case 6..<7:
            flaw = .malformed
            device["locked"] = "perhaps"
        case 7..<25:
            isAuthenticated = false
            scenario.userDetails["authenticated"] = false
        case 25..<35: scenario.expiresAt = "2099-12-31T23:59:59+01:00"
        default: break
        }
        scenario.device = .object(device)
        model.request(scenario.intent.parameters, flaw: flaw, isLocked: isLocked, isAuthenticated: isAuthenticated)
    }

    /// Makes a later stage refuse a value, or the first resolver end with one: often what the user says first.
    private static func refuse(
        _ said: JSONObject,
        of intent: ModelIntent,
        in script: inout Script,
        _ random: inout SeededNumbers
    ) {
        if let first = intent.parameters.first, !first.isList, random.chance(5) {
            switch first.kind {
            // Of other types, what is said in words is not what the resolver gets.
            case .text, .code, .words:
                let text = said[first.name]?.string.flatMap { $0.isEmpty ? nil : $0 }
                script.ends = text.map(JSONValue.string) ?? Sayings.goodValue(for: first, &random)
            case .number, .flag, .day: break
            }
        }
        guard random.chance(20) else { return }
        // Parameters with more than a few values, of which none are offered.
        let parameters = intent.parameters.filter { parameter in
            switch parameter.kind {
            case .text, .code, .number, .day: !parameter.isList
            case .words, .flag: false
            }
        }
        guard !parameters.isEmpty else { return }
        let parameter = random.pick(parameters)
        let value = said[parameter.name] ?? Sayings.goodValue(for: parameter, &random)
        guard case .good(let value) = parameter.judge(value) else { return }
        // After an effect, a question of `handle` is an error.
        let isOfHandle = !script.hasEffect && random.chance(50)
        script.taken = Script.Taken(isOfHandle: isOfHandle, parameter: parameter.name, value: value)
    }

    /// The handler's script, if a scripted one carries the intent out.
    private static func makeScript(for intent: ModelIntent?, _ random: inout SeededNumbers) -> Script {
        var script = Script()
        guard let intent, intent.isScripted else { return script }
        script.wantsSignIn = random.chance(25)
        script.wantsYes = random.chance(50)
        script.showsNews = random.chance(8)
        script.hasEffect = random.chance(60)
        script.hasStep = random.chance(20)
        script.notifies = random.chance(20)
        if random.chance(12) { script.confirm.code = random.pick(["failure", "failureRequiringAppLaunch", "success"]) }
        if random.chance(50) {
            script.handle.code = random.pick([
                "success", "failure", "failureRequiringAppLaunch", "continueInApp", "handleInApp", "handleInApp",
                "ready",
            ])
        }
        let acts: [WritableKeyPath<Script, Script.Act>] = [\.resolve, \.confirm, \.handle]
        if random.chance(25) { script[keyPath: random.pick(acts)].sleep = Int.random(in: 5...40, using: &random) }
        switch Int.random(in: 0..<100, using: &random) {
        // A retry takes longer than an impatient intent's handler may.
        case 0..<4 where !intent.isImpatient: script[keyPath: random.pick(acts)].transientFailures = 1
        case 4..<5 where !intent.isImpatient: script[keyPath: random.pick(acts)].transientFailures = 8
        case 5..<9: script[keyPath: random.pick(acts)].isBroken = true
        case 9..<14:
            script[keyPath: random.pick(acts)].hangs = true
            script.hasEffect = script.hasEffect && intent.isImpatient
        default: break
        }
        return script
    }
}
