import Testing

@testable import IntentRuntime

/// Each test names the transitions of a user's queue in a batch that it is about: quiet, searched, cut short, deferred,
/// resting.
@Suite("Phases of a user's queue in a batch")
struct QueuePhaseTests {
    @Test("quiet → searched → quiet: the search begins when a turn is parked, and continues only while that turn runs")
    func searchBeginsWithParkedTurn() {
        var phase = QueuePhase.quiet
        phase.endSearch(isCutShort: true)
        #expect(phase == .quiet, "There was no search.")
        #expect(!phase.continues(hasParked: true, hasCandidates: true))
        phase.search()
        #expect(phase == .searched && !phase.holdsEverything)
        #expect(phase.continues(hasParked: true, hasCandidates: true))
        #expect(!phase.continues(hasParked: false, hasCandidates: true))
        phase.endSearch(isCutShort: false)
        #expect(phase == .quiet)
    }

    @Test("searched → cut short → searched: the candidates on disk are available in the next batch")
    func interruptedSearchContinuesInNextBatch() {
        var phase = QueuePhase.searched
        phase.endSearch(isCutShort: true)
        #expect(phase == .cutShort && !phase.holdsEverything)
        #expect(phase.continues(hasParked: false, hasCandidates: false))
        phase.search()
        #expect(phase == .searched)
    }

    @Test(
        "→ deferred: everything waits, and the next batch searches for what overtakes",
        arguments: [QueuePhase.quiet, .searched]
    )
    func deferredQueueWaitsAndSearches(before: QueuePhase) {
        var phase = before
        phase.hold()
        #expect(phase == .deferred && phase.holdsEverything)
        #expect(phase.continues(hasParked: false, hasCandidates: true))
        #expect(!phase.continues(hasParked: false, hasCandidates: false))
        phase.search()
        phase.endSearch(isCutShort: true)
        #expect(phase == .deferred)
    }

    @Test("→ resting: everything waits, and the next batch has the events", arguments: [QueuePhase.quiet, .searched])
    func restingQueueWaitsForNextBatch(before: QueuePhase) {
        var phase = before
        phase.rest()
        #expect(phase == .resting && phase.holdsEverything)
        #expect(phase.continues(hasParked: false, hasCandidates: false))
        phase.search()
        phase.endSearch(isCutShort: false)
        #expect(phase == .resting)
    }
}
