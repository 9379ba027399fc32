internal import IntentEvents
internal import IntentKit
internal import IntentRuntime
internal import IntentScenarios

extension ScenarioExport {
    /// What was said, as answers by name: they fit other prompts too, and the play ends at once at a prompt without
    /// one.
    struct NamedAnswers {
        private var answers: JSONObject = [:]
        private var volunteered: JSONObject = [:]
        private var choices: [String: ScenarioChoice] = [:]
        private var confirmations: [ScenarioConfirmation] = []

        /// Collects what was said; nil when something other than answers was said, or answers by name cannot express
        /// it.
        init?(_ turns: [TurnAccount]) {
            var isFirst = true
            var known: Set<String> = []
            for turn in turns where !turn.record.isOfRunningTurn {
                guard let event = turn.event?.event, known.insert(event.id).inserted else { continue }
                switch event.knownType {
                case .promptAnswered:
                    guard let prompt = ShadowCase.prompt(before: turn.record),
                        self.receive(event.data, to: prompt, isFirst: isFirst)
                    else { return nil }
                    isFirst = false
                case .interactionCancelled, .appResponded, .interactionResumed, .operatorDecided: return nil
                case .timerFired where turn.record.outcome == .ended: return nil
                default: break
                }
            }
        }

        /// Gives a scenario these answers.
        func write(to scenario: inout Scenario) {
            scenario.answers = self.answers
            scenario.volunteered = self.volunteered
            scenario.choices = self.choices
            scenario.confirmations = self.confirmations
        }

        private mutating func receive(_ data: JSONValue, to prompt: Prompt, isFirst: Bool) -> Bool {
            let corrections = data["corrections"]?.object ?? [:]
            let isYes = data["action"]?.string ?? "accept" == "accept"
            let value = data["value"].flatMap { $0.isNull ? nil : $0 }
            let choice = data["choice"]?.integer
            if prompt.kind == .intentConfirmation {
                guard value == nil, choice == nil, data["action"]?.string != "cancel" else { return false }
                self.confirmations.append(ScenarioConfirmation(isYes ? .accept : .decline, corrections: corrections))
                return true
            }
            guard let name = prompt.parameter, isYes, isFirst || corrections.isEmpty else { return false }
            self.volunteered.merge(corrections) { $1 }
            if let value { return Self.set(&self.answers[name], value) }
            switch prompt.kind {
            case .disambiguation:
                guard let choice, prompt.options.indices.contains(Int(choice)) else { return false }
                return Self.set(&self.choices[name], .index(Int(choice)))
            case .confirmationRequired where choice == nil: return Self.set(&self.choices[name], .index(0))
            default: return false
            }
        }

        /// Sets what is said under a name, unless something else is there already.
        private static func set<Value: Equatable>(_ said: inout Value?, _ value: Value) -> Bool {
            guard said == nil || said == value else { return false }
            said = value
            return true
        }
    }
}
