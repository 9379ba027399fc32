internal import IntentEvents
internal import IntentKit
internal import IntentRuntime

extension InteractionRow {
    private static let promptIssued = Array(EventType.promptIssued.rawValue.utf8)
    private static let intentResponded = Array(EventType.intentResponded.rawValue.utf8)

    /// What a turn says of the interaction that it acted on, and which one that is; nil for a turn that acted on none.
    static func said(by turn: ScannedTurn) -> (RequestPosition, InteractionRow)? {
        guard let request = turn.request.flatMap(RequestPosition.init(utf8:)) else { return nil }
        var row = InteractionRow()
        row.identity = Identity(
            requestedAt: turn.opened && turn.stage == .resolve ? turn.at : nil,
            interactionID: turn.interactionID.map { InteractionID(Self.text($0)) },
            userID: UserID(Self.text(turn.userID)),
            intent: turn.intent.map(Self.text)
        )
        row.turns = 1
        return (request, row)
    }

    /// What an event on `responses` says of its interaction, and which one that is; nil for other types, and without
    /// the attribute `request`.
    static func said(
        by event: ScannedEvent,
        _ partition: Int,
        _ offset: Int64,
        _ tape: JSONTape,
        _ bytes: UnsafeBufferPointer<UInt8>
    ) -> (RequestPosition, InteractionRow)? {
        let isPrompt = event.type == Self.promptIssued
        guard isPrompt || event.type == Self.intentResponded,
            let request = event.request.flatMap(RequestPosition.init(utf8:)), let at = event.time
        else { return nil }
        func member(_ name: StaticString, of node: Int? = event.data) -> Int? { tape.member(name, of: node, in: bytes) }
        func text(_ name: StaticString, of node: Int? = event.data) -> String? {
            tape.string(member(name, of: node), in: bytes).map(Self.text)
        }
        let intent = member("intent")
        let parameters = member("parameters", of: intent)
        var response = Response(
            isTerminal: false,
            partition: Int64(partition),
            offset: offset,
            at: at,
            parameters: parameters.flatMap {
                tape.kind($0) == .object ? Self.text(tape.canonicalText($0, in: bytes)) : nil
            }
        )
        var row = InteractionRow()
        if isPrompt {
            row.prompts = 1
            row.firstPromptAt = at
            response.status = text("kind") == "intentConfirmation" ? "userConfirmationRequired" : nil
            response.phase = text("promptId").flatMap { PromptID($0) }?.stage.rawValue
        } else {
            response.isTerminal = tape.isTrue(member("terminal"))
            response.status = text("status")
            response.code = text("code")
            response.endReason = text("endReason")
            response.phase = text("phase")
            row.terminalResponses = response.isTerminal ? 1 : 0
        }
        row.identity.interactionID = event.subject.map { InteractionID(Self.text($0)) }
        row.identity.userID = event.userID.map { UserID(Self.text($0)) }
        row.identity.intent = text("name", of: intent)
        row.response = response
        return (request, row)
    }

    private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}
