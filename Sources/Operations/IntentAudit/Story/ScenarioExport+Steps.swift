internal import IntentEvents
internal import IntentKit
internal import IntentRecords
internal import IntentRuntime
internal import IntentScenarios

extension ScenarioExport {
    /// What was said, as steps: for what answers by name cannot express.
    struct Steps {
        private(set) var steps: [ScenarioStep] = []
        private(set) var warnings: [String] = []

        init(_ turns: [TurnAccount], device: JSONValue?) {
            var prompts = 0
            var answers = 0
            var known: Set<String> = []
            for turn in turns {
                if !turn.record.isOfRunningTurn, let event = turn.event?.event, known.insert(event.id).inserted {
                    self.append(event, of: turn, prompts: prompts, answers: answers, device: device)
                }
                for output in turn.outputs where output.event?.position.topic == .responses {
                    switch output.event?.type {
                    case EventType.promptIssued.rawValue where output.event?.json?["front"] != true: prompts += 1
                    case EventType.intentResponded.rawValue: answers += 1
                    default: break
                    }
                }
            }
        }

        private mutating func append(
            _ event: Event,
            of turn: TurnAccount,
            prompts: Int,
            answers: Int,
            device: JSONValue?
        ) {
            switch event.knownType {
            case .promptAnswered:
                var step = ScenarioStep(type: event.type, data: event.data.object ?? [:])
                step.afterPrompt = event.data["promptId"]?.string.flatMap(PromptID.init)?.number ?? prompts
                step.data["promptId"] = nil
                step.data["user"] = nil
                self.steps.append(step)
            case .interactionCancelled, .appResponded:
                var step = ScenarioStep(type: event.type, data: event.data.object ?? [:])
                step.data["user"] = nil
                step.afterPrompt = prompts > 0 ? prompts : nil
                step.afterResponse = answers > 0 ? answers : nil
                self.steps.append(step)
            case .interactionResumed:
                let waited = turn.record.before.values.compactMap { Interaction(text: $0)?.prompt?.kind }.first
                let isUnlock = waited != .authenticationRequired
                let type: EventType = isUnlock ? .deviceUnlocked : .userAuthenticated
                var step = ScenarioStep(type: type.rawValue)
                if isUnlock { step.data["device"] = .members(["id": device?["id"]]) }
                step.afterPrompt = prompts
                self.steps.append(step)
            case .operatorDecided:
                self.warnings.append("An operator has decided what became of a post, and a scenario has no operator.")
            case .timerFired where turn.record.outcome == .ended:
                self.warnings.append("The interaction ended by a timeout, and a scenario does not wait that long.")
            default: break
            }
        }
    }
}
