internal import Foundation
internal import IntentAudit
internal import IntentEvents
internal import IntentKit
internal import IntentOperations
internal import IntentRecords
internal import IntentRuntime
internal import LocalHTTP

extension Console {
    /// The story of the interaction whose request is at that position.
    func story(_ path: [String]) async throws -> InteractionStory? {
        guard path.count >= 2, let partition = Int(path[0]), let offset = Int64(path[1]) else { return nil }
        return try await self.records.archive().story(ofRequest: RecordPosition(.requests, partition, offset))
    }

    /// The pages of one interaction.
    func interaction(_ path: [String], _ query: Fields) async throws -> HTTPServerResponse? {
        guard let story = try await self.story(path) else { return nil }
        if path.count == 4, path[2] == "turns", let number = Int(path[3]) {
            let page = StatePage(story: story, number: number, masking: self.operations.masking)
            return page.page(in: self.frame).map { HTTPServerResponse($0) }
        }
        guard path.count == 2 else { return nil }
        var page = self.page(of: story)
        let acts = [OperatorAct.Kind.cancel, .retry].map(\.rawValue)
        page.acted = story.interaction.endedAt == nil ? query["acted"].flatMap { acts.contains($0) ? $0 : nil } : nil
        return HTTPServerResponse(page.page(in: self.frame))
    }

    /// The page of an interaction in its current state.
    func page(of story: InteractionStory) -> OneInteractionPage {
        var page = OneInteractionPage(
            story: story,
            masking: self.operations.masking,
            prefix: self.operations.configuration.prefix,
            formToken: self.gate.formToken,
            canReplay: self.operations.canReplay,
            hasVocabularies: self.operations.canReplay,
            traces: self.traces
        )
        page.canAct = self.operations.allowsWrites
        page.times = InteractionTimes(story, now: self.clock.now)
        if story.interaction.endedAt == nil {
            page.live = "/live\(Format.path(story.interaction))\(Self.offer(page).query)"
            page.hint = Self.waiting(story).flatMap { event in self.talk?.hint(event) }
            page.reply = Fields([("id", UUID().uuidString)])
            page.needsGateway = page.canAct && self.talk == nil && Self.waiting(story) != nil
        }
        return page
    }

    /// What the page of an open interaction offers and says beside its body: it is reloaded when that changes.
    static func offer(_ page: OneInteractionPage) -> Fields {
        Fields([
            ("asked", Self.waiting(page.story)?.id), ("retry", page.canRetry ? "true" : nil),
            ("paused", page.pause?.id),
        ])
    }

    /// The last event that asks the user for something; nil when it has been answered.
    static func waiting(_ story: InteractionStory) -> Event? {
        story.events.last { $0.position.topic == .responses && $0.type != EventType.eventRejected.rawValue }?.event
    }

    /// Runs an interaction's turns again.
    func replay(_ story: InteractionStory) async -> HTTPServerResponse {
        var page = self.page(of: story)
        page.live = nil
        guard self.operations.canReplay else { return HTTPServerResponse(page.page(in: self.frame)) }
        do {
            page.report = try await self.operations.replay(
                Self.selection(of: story),
                verdictLimit: Self.maximumVerdicts
            ) { _, _ in }
        } catch {
            page.problem = "\(error)"
        }
        return HTTPServerResponse(page.page(in: self.frame))
    }

    static func selection(of story: InteractionStory) -> ReplaySelection {
        var selection = ReplaySelection()
        selection.interaction = story.interaction.interactionID
        let positions = story.turns.map(\.position)
        // A journal is long, but the partition and the range of the turns' offsets are known.
        if let first = positions.map(\.offset).min(), let last = positions.map(\.offset).max(),
            Set(positions.map(\.partition)).count == 1
        {
            selection.partition = positions[0].partition
            selection.fromOffset = first
            selection.toOffset = last + 1
        }
        return selection
    }
}
