import IntentEvents
import IntentKit
import IntentLab
import IntentScenarios

/// Writes the steps of one scenario's user, until the model says that it is over.
struct StepWriter {
    /// After this many steps the user only does what helps.
    private static let stepLimit = 10

    private(set) var steps: [ScenarioStep] = []
    private(set) var model: ModelConversation
    private let interactionID: String
    private let scenario: Scenario
    private var random: SeededNumbers

    init(runID: String, scenario: Scenario, model: ModelConversation, random: SeededNumbers) {
        self.interactionID = "\(runID)-\(scenario.name)"
        self.scenario = scenario
        self.model = model
        self.random = random
    }

    /// Writes steps to the end of the conversation, and sometimes past it.
    mutating func write() {
        while self.model.phase != .ended {
            if self.model.isHanging {
                self.endHanging()
                continue
            }
            let isPatient = self.steps.count < Self.stepLimit
            if isPatient, self.random.chance(25) { self.makeNoise() }
            if isPatient, self.random.chance(4) {
                self.cancel()
            } else if self.model.phase == .app {
                self.respondAsApp(helpfully: !isPatient)
            } else if let prompt = self.model.prompts.last {
                self.react(to: prompt, helpfully: !isPatient)
            }
        }
        while self.hasClearEnd, self.random.chance(20) { self.makeNoise() }
    }

    // MARK: What helps, or not

    private mutating func react(to prompt: ModelPrompt, helpfully: Bool) {
        switch prompt.kind {
        case "unlockRequired":
            if !helpfully, self.random.chance(10) { return self.answer(ModelAnswer(reply: .cancel)) }
            self.add("device.unlocked", ["device": ["id": "phone"]])
            self.model.unlock()
        case "authenticationRequired":
            if !helpfully, self.random.chance(10) { return self.answer(ModelAnswer(reply: .cancel)) }
            self.add("user.authenticated")
            self.model.signIn()
        case "intentConfirmation": self.answer(self.confirmation(helpfully: helpfully))
        default: self.answer(self.value(for: prompt, helpfully: helpfully))
        }
    }

    private mutating func confirmation(helpfully: Bool) -> ModelAnswer {
        if helpfully { return ModelAnswer(reply: self.model.script.showsNews ? .no : .yes) }
        switch Int.random(in: 0..<100, using: &self.random) {
        case 0..<45: return ModelAnswer(reply: .yes)
        case 45..<50: return ModelAnswer(reply: .value(true))
        case 50..<53: return ModelAnswer(reply: .value(false))
        case 53..<60: return ModelAnswer(reply: .no)
        case 60..<63: return ModelAnswer(reply: .cancel)
        case 63..<70: return ModelAnswer(reply: .value("perhaps"))
        case 70..<73: return ModelAnswer(reply: .choice(0))
        case 73..<88: return ModelAnswer(reply: .no, corrections: self.corrections())
        default: return ModelAnswer(reply: .yes, corrections: self.corrections())
        }
    }

    private mutating func value(for prompt: ModelPrompt, helpfully: Bool) -> ModelAnswer {
        guard let parameter = self.model.intent?.parameters.first(where: { $0.name == prompt.parameter }) else {
            return ModelAnswer(reply: .cancel)
        }
        let isChoice = prompt.kind == "disambiguation"
        if helpfully || self.random.chance(50) {
            if isChoice, self.random.chance(70) {
                return ModelAnswer(reply: .choice(prompt.options.indices.randomElement(using: &self.random)!))
            }
            let isOne = !parameter.isList || prompt.index != nil
            if isOne, prompt.kind != "confirmationRequired", !prompt.options.isEmpty, self.random.chance(25) {
                return ModelAnswer(reply: .number(self.random.below(prompt.options.count)))
            }
            if prompt.kind == "confirmationRequired", self.random.chance(70) { return ModelAnswer(reply: .yes) }
            let value = Sayings.goodValue(for: parameter, &self.random)
            let isWhole = parameter.isList && prompt.index == nil && self.random.chance(70)
            return ModelAnswer(reply: .value(isWhole ? [value, value] : value))
        }
        var answer: ModelAnswer
        switch Int.random(in: 0..<100, using: &self.random) {
        case 0..<50:
            let value = Sayings.value(for: parameter, goodIn: 30, &self.random)
            // An answer with null is one without a value.
            answer = ModelAnswer(reply: value.isNull ? .yes : .value(value))
        case 50..<60: answer = ModelAnswer(reply: .yes)
        case 60..<68: answer = ModelAnswer(reply: .choice(self.random.pick([-1, 0, 1, 7])))
        case 68..<80: return ModelAnswer(reply: .no)
        case 80..<84: return ModelAnswer(reply: .cancel)
        default: answer = ModelAnswer(reply: .value(Sayings.goodValue(for: parameter, &self.random)))
        }
        if self.random.chance(35) {
            answer.corrections = self.corrections().filter { $0.key != prompt.parameter }
        }
        return answer
    }

    private mutating func corrections() -> JSONObject {
        var corrections: JSONObject = [:]
        for parameter in self.model.intent?.parameters ?? [] where self.random.chance(35) {
            corrections[parameter.name] = Sayings.value(for: parameter, goodIn: 75, &self.random)
        }
        if corrections.isEmpty || self.random.chance(10) { corrections["madeUp"] = 1 }
        return corrections
    }

    private mutating func answer(_ answer: ModelAnswer) {
        let number = self.model.prompts.count
        let isHasty = self.random.chance(10)
        var step = self.step("prompt.answered", answer.data)
        step.prompt = number
        let isMistaken = self.random.chance(8)
        if isMistaken { step.data["valeu"] = "x" }
        self.model.answer(number, answer)
        // One that waits behind a turn that never ends is not read in any case.
        if isMistaken, !self.model.isHanging { self.model.saysMistake = true }
        // The events that wait behind a turn that never ends depend on how it ends.
        if isHasty, !self.model.isHanging {
            step.repetitions = Int.random(in: 2...3, using: &self.random)
            for _ in 1..<step.repetitions { self.model.answer(number, answer) }
        }
        self.steps.append(step)
    }

    private mutating func respondAsApp(helpfully: Bool) {
        let codes = ["success", "failure", "continueInApp", "ready", "nonsense", "failureNoSuchThing"]
        let code = helpfully ? "success" : self.random.pick(codes)
        self.add("app.responded", ["code": .string(code), "response": ["said": "so"]])
        self.model.appResponds(code)
    }

    private mutating func cancel() {
        self.add("interaction.cancelled", ["reason": "never mind"])
        self.model.cancel()
    }

    private mutating func endHanging() {
        if self.model.intent?.isImpatient == true, self.model.hasEffect || self.random.chance(50) {
            self.model.runOutOfTime()
        } else {
            self.cancel()
        }
    }

    // MARK: What only disturbs

    private mutating func makeNoise() {
        let isOver = self.model.phase == .ended
        switch Int.random(in: 0..<13, using: &self.random) {
        case 0...2: self.answerLate()
        case 3: self.add("intent.requested")
        case 4: self.answerAsSomebodyElse()
        case 5:
            self.add("prompt.answered", ["promptId": .string("\(self.interactionID)/r/97")])
            self.model.reject("unknown")
        case 6: self.answerMalformed()
        case 7: self.add("intent.responded", ["terminal": true])
        case 8:
            self.add("vocabulary.replaced", ["type": "contactName", "strings": ["Anna", ["spokenPhrase": "Čeněk"]]])
        case 9:
            self.add("vocabulary.replaced", ["type": "contactName", "strings": [7]])
            self.model.reject("invalid")
        case 10:
            self.add("device.unlocked", ["device": ["id": "another phone"]])
            if self.model.prompts.last?.kind != "authenticationRequired" { self.add("user.authenticated") }
        case 11:
            var step = self.step("interaction.cancelled", [:])
            step.from = self.somebodyElse
            self.steps.append(step)
            self.model.reject("unknown")
        default:
            guard self.model.phase != .app else { return }
            if isOver, self.random.chance(50) { return self.cancel() }
            self.add("app.responded", ["code": "success"])
            self.model.appResponds("success")
        }
    }

    private mutating func answerLate() {
        let closed = self.model.prompts.indices.filter { self.model.prompts[$0].fate != .open }
        guard let index = closed.randomElement(using: &self.random) else { return }
        var step = self.step("prompt.answered", ModelAnswer(reply: .yes).data)
        step.prompt = index + 1
        self.steps.append(step)
        self.model.answer(index + 1, ModelAnswer(reply: .yes))
    }

    private mutating func answerAsSomebodyElse() {
        guard !self.model.prompts.isEmpty else { return }
        var step = self.step("prompt.answered", ModelAnswer(reply: .yes).data)
        step.prompt = self.model.prompts.count
        step.from = self.somebodyElse
        self.steps.append(step)
        self.model.reject("notYours")
    }

    private mutating func answerMalformed() {
        guard let number = self.model.openPrompt, self.model.prompts[number - 1].isQuestion else { return }
        let data: JSONObject = self.random.pick([
            ["action": "perhaps"], ["choice": "the first"], ["corrections": ["no", "object"]], ["promptId": "nonsense"],
            ["promptId": 12],
        ])
        var step = self.step("prompt.answered", data)
        if data["promptId"] == nil { step.prompt = number }
        self.steps.append(step)
        self.model.reject("invalid")
    }

    /// Whether it is specified what comes after the end: not when a turn that never ended was cut off.
    private var hasClearEnd: Bool {
        let acts = [self.model.script.resolve, self.model.script.confirm, self.model.script.handle]
        return !acts.contains(where: \.hangs)
    }

    private var somebodyElse: UserID { "\(self.scenario.userID)-neighbour" }

    // MARK: Steps

    private func step(_ type: String, _ data: JSONObject) -> ScenarioStep {
        var step = ScenarioStep(type: type, data: data)
        step.afterPrompt = self.model.prompts.isEmpty ? nil : self.model.prompts.count
        step.afterResponse = self.model.responses == 0 ? nil : self.model.responses
        return step
    }

    private mutating func add(_ type: String, _ data: JSONObject = [:]) {
        self.steps.append(self.step(type, data))
    }
}
