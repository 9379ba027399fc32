import IntentEvents
import IntentKit
import IntentRuntime

@testable import IntentRecords

extension InteractionRow {
    /// What a turn says about its interaction, and which one that is; nil for a turn that acted on none.
    static func saidBefore(by turn: TurnRecord) -> (RequestPosition, InteractionRow)? {
        guard let request = turn.request.flatMap({ RequestPosition($0.text) }) else { return nil }
        var row = InteractionRow()
        row.identity = Identity(
            openedAt: turn.opened && turn.stage == .resolve ? turn.at.milliseconds : nil,
            interactionID: turn.interactionID,
            userID: turn.userID,
            intent: turn.intentName
        )
        row.turns = 1
        return (request, row)
    }

    /// What an event on `responses` says about its interaction, and which one that is; nil for other types, and without
    /// the attribute `request`.
    static func saidBefore(by event: Event, partition: Int, offset: Int64) -> (RequestPosition, InteractionRow)? {
        guard let request = event.request.flatMap({ RequestPosition($0.text) }) else { return nil }
        var response = Response(
            isTerminal: false,
            partition: Int64(partition),
            offset: offset,
            at: event.time.milliseconds,
            parameters: event.data["intent"]?["parameters"].flatMap { $0.object == nil ? nil : $0.description }
        )
        var row = InteractionRow()
        switch event.knownType {
        case .promptIssued:
            row.prompts = 1
            row.firstPromptAt = event.time.milliseconds
            response.status = event.data["kind"] == "intentConfirmation" ? "userConfirmationRequired" : nil
            response.phase = event.data["promptId"]?.string.flatMap { PromptID($0) }?.stage.rawValue
        case .intentResponded:
            response.isTerminal = event.data["terminal"] == true
            response.status = event.data["status"]?.string
            response.code = event.data["code"]?.string
            response.endReason = event.data["endReason"]?.string
            response.phase = event.data["phase"]?.string
            row.terminalResponses = response.isTerminal ? 1 : 0
        default:
            return nil
        }
        row.identity.interactionID = event.subject
        row.identity.userID = event.userID
        row.identity.intent = event.data["intent"]?["name"]?.string
        row.response = response
        return (request, row)
    }
}
