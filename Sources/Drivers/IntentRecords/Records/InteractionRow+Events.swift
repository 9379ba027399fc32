internal import IntentEvents
internal import IntentRuntime
internal import IntentKit

extension InteractionRow {
    /// Adds what a turn says about its interaction.
    mutating func add(_ turn: ScannedTurn) {
        self.turns += 1
        let opens = turn.opened && turn.stage == .resolve
        // Once the opening turn is known, only it counts: no text is built from another one.
        guard opens || self.identity.openedAt == nil else { return }
        self.identity.merge(
            Identity(
                openedAt: opens ? turn.at : nil,
                interactionID: turn.interactionID.map { InteractionID($0.text) },
                userID: UserID(turn.userID.text),
                intent: turn.intent?.text
            )
        )
    }

    /// What a request says about its interaction; nil for other events of clients.
    static func asked(
        by event: EventColumns,
        at position: RowPosition,
        _ data: JSONView?
    ) -> (RequestPosition, InteractionRow)? {
        guard event.type?.isSame(as: "intent.requested") ?? false, position.partition >= 0, position.offset >= 0
        else { return nil }
        var row = InteractionRow()
        row.identity = Identity(
            writtenAt: position.timestamp,
            interactionID: event.subject.map { InteractionID($0.text) },
            userID: event.userID.map { UserID($0.text) },
            intent: data?["intent"]?["name"]?.string
        )
        return (RequestPosition(partition: position.partition, offset: position.offset), row)
    }

    /// What an event on `responses` says about its interaction, and which one that is; nil for other types, and without
    /// the attribute `request`.
    static func said(
        by event: EventColumns,
        at position: RowPosition,
        _ data: JSONView?,
        _ arguments: ArgumentBytes
    ) -> (RequestPosition, InteractionRow)? {
        guard let type = event.type else { return nil }
        let isPrompt = type.isSame(as: "prompt.issued")
        guard isPrompt || type.isSame(as: "intent.responded"),
            let request = event.request.flatMap(RequestPosition.init(utf8:))
        else { return nil }
        let at = position.timestamp
        func text(_ name: StaticString) -> String? { data?[name]?.string }
        let intent = data?["intent"]
        let parameters = intent?["parameters"]
        var response = Response(
            isTerminal: false,
            partition: position.partition,
            offset: position.offset,
            at: at,
            parameters: parameters.flatMap {
                $0.kind == .object ? arguments.canonicalText($0).text : nil
            }
        )
        var row = InteractionRow()
        if isPrompt {
            row.prompts = 1
            row.firstPromptAt = at
            response.status = text("kind") == "intentConfirmation" ? "userConfirmationRequired" : nil
            response.phase = text("promptId").flatMap { PromptID($0) }?.stage.rawValue
        } else {
            response.isTerminal = data?["terminal"]?.bool ?? false
            response.status = text("status")
            response.code = text("code")
            response.endReason = text("endReason")
            response.phase = text("phase")
            row.terminalResponses = response.isTerminal ? 1 : 0
        }
        row.identity.interactionID = event.subject.map { InteractionID($0.text) }
        row.identity.userID = event.userID.map { UserID($0.text) }
        row.identity.intent = intent?["name"]?.string
        row.response = response
        return (request, row)
    }
}
