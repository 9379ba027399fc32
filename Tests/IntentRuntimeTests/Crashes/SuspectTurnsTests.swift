import IntentEvents
import IntentKit
import IntentRuntime
import Testing

@Suite("Turns under suspicion (R56)")
struct SuspectTurnsTests {
    private static let killer = TurnKey(.handle, RecordPosition(.confirmed, 3, 12))
    private static let innocent = TurnKey(.resolve, RecordPosition(.requests, 0, 7))
    private static let now = Timestamp(milliseconds: 1_000)

    private func mark(_ turn: TurnKey, _ company: TurnMark.Company = .ordinary) -> TurnMark {
        TurnMark(turn, company)
    }

    @Test("unknown → suspect → alone: each crash counts once for each turn, and at the bound a turn runs alone")
    func eachCrashCountsOncePerTurn() {
        var suspects = SuspectTurns(maxCrashes: 3)
        for deaths in 1...3 {
            #expect(suspects.treatment(of: Self.killer) == .ordinary)
            // A turn that was taken over because its first run would not end is marked twice.
            suspects.recordCrash(of: [self.mark(Self.killer), self.mark(Self.killer)], at: Self.now)
            #expect(suspects.suspicions[Self.killer]?.deaths == deaths)
        }
        #expect(suspects.treatment(of: Self.killer) == .solo(surplus: 0))
        #expect(suspects.treatment(of: Self.innocent) == .ordinary)
    }

    @Test("suspect → condemned: a turn that kills the process while nothing else runs")
    func condemnsTurnThatKillsAlone() {
        var suspects = SuspectTurns(maxCrashes: 2)
        for _ in 0..<2 { suspects.recordCrash(of: [self.mark(Self.killer), self.mark(Self.innocent)], at: Self.now) }
        suspects.recordCrash(of: [self.mark(Self.killer, .alone)], at: Self.now)
        #expect(suspects.treatment(of: Self.killer) == .condemned(CrashVerdict(deaths: 3)))
        #expect(suspects.treatment(of: Self.innocent) == .solo(surplus: 0))
    }

    @Test(
        "suspect → unknown: an innocent turn beside a killer is acquitted when it is committed, however often it was there"
    )
    func acquitsCommittedTurn() {
        var suspects = SuspectTurns(maxCrashes: 3)
        for _ in 0..<100 { suspects.recordCrash(of: [self.mark(Self.killer), self.mark(Self.innocent)], at: Self.now) }
        guard case .solo = suspects.treatment(of: Self.innocent) else {
            Issue.record("it was condemned without having run alone")
            return
        }
        suspects.forget(Self.innocent)
        #expect(suspects.treatment(of: Self.innocent) == .ordinary)
        #expect(suspects.suspicions[Self.innocent] == nil)
    }

    @Test("suspect → condemned: beside turns that do not end, it takes as many crashes again")
    func condemnsBesideOthersAfterMoreCrashes() {
        var suspects = SuspectTurns(maxCrashes: 3)
        for _ in 0..<3 { suspects.recordCrash(of: [self.mark(Self.killer)], at: Self.now) }
        for _ in 0..<2 {
            suspects.recordCrash(of: [self.mark(Self.killer, .solo), self.mark(Self.innocent)], at: Self.now)
            guard case .solo = suspects.treatment(of: Self.killer) else {
                Issue.record("it was condemned too early")
                return
            }
        }
        suspects.recordCrash(of: [self.mark(Self.killer, .solo), self.mark(Self.innocent)], at: Self.now)
        #expect(suspects.treatment(of: Self.killer) == .condemned(CrashVerdict(deaths: 6)))
    }

    @Test("One crash beside others condemns no turn: another turn may be the cause")
    func oneCrashBesideOthersCondemnsNobody() {
        var suspects = SuspectTurns(maxCrashes: 1)
        suspects.recordCrash(of: [self.mark(Self.killer), self.mark(Self.innocent)], at: Self.now)
        let other = TurnKey(.resolve, RecordPosition(.requests, 0, 8))
        suspects.recordCrash(of: [self.mark(Self.innocent, .solo), self.mark(other)], at: Self.now)
        #expect(suspects.treatment(of: Self.innocent) == .solo(surplus: 1))
        #expect(suspects.treatment(of: other) == .solo(surplus: 0))
        suspects.recordCrash(of: [self.mark(Self.innocent, .solo), self.mark(other)], at: Self.now)
        #expect(suspects.treatment(of: Self.innocent) == .condemned(CrashVerdict(deaths: 3)))
    }

    @Test("Reading an event is counted apart from its turn")
    func readingCountsApartFromTurn() {
        let reading = TurnKey(.handle, Self.killer.position, isReading: true)
        var suspects = SuspectTurns(maxCrashes: 1)
        suspects.recordCrash(of: [self.mark(reading)], at: Self.now)
        suspects.recordCrash(of: [self.mark(reading, .alone)], at: Self.now)
        #expect(suspects.treatment(of: reading) == .condemned(CrashVerdict(deaths: 2, isUndecoded: true)))
        #expect(suspects.treatment(of: Self.killer) == .ordinary)
    }

    @Test("The number of remembered turns is bounded, and the worst are kept")
    func boundsMemoryAndKeepsWorst() {
        var suspects = SuspectTurns(maxCrashes: 3)
        for _ in 0..<2 { suspects.recordCrash(of: [self.mark(Self.killer)], at: Self.now) }
        let many = (0..<SuspectTurns.limit + 500)
            .map { number in
                self.mark(TurnKey(.resolve, RecordPosition(.requests, 1, Int64(number))))
            }
        suspects.recordCrash(of: many, at: Timestamp(milliseconds: 2_000))
        #expect(suspects.suspicions.count == SuspectTurns.limit)
        #expect(suspects.suspicions[Self.killer]?.deaths == 2)
    }

    @Test("What is written to a file is read back, and garbage in it does no harm")
    func fileRoundTripsAndIgnoresGarbage() throws {
        var suspects = SuspectTurns(maxCrashes: 3)
        let reading = TurnKey(.confirm, RecordPosition(.signals, 2, 1 << 40), isReading: true)
        suspects.recordCrash(of: [self.mark(Self.killer, .alone), self.mark(reading, .solo)], at: Self.now)
        var again = SuspectTurns(maxCrashes: 3)
        again.restore(try JSONValue(parsing: suspects.json.utf8))
        #expect(again == suspects)
        again.restore([
            "handle/confirmed/3": ["deaths": 1], "x/y/z/w": ["deaths": 1], "handle/confirmed/9/9": ["deaths": -4],
            "handle/confirmed/9/8": 7, "handle/confirmed/9/7": ["deaths": 2, "solo": "x"],
        ])
        #expect(again.suspicions.count == 3)
        #expect(again.suspicions[TurnKey(.handle, RecordPosition(.confirmed, 9, 7))]?.deaths == 2)
    }
}
