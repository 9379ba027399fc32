import IntentEvents
import Testing

@Suite("R80a: a client's clock is believed within a day")
struct ClientClockTests {
    private static let turn = Timestamp(milliseconds: 1_790_000_000_000)

    @Test(
        "A record was written no later than its turn began, and at most a day before",
        arguments: [
            (-5_000, 5_000), (0, 0), (1, 0), (86_400_000, 0), (-86_400_000, 86_400_000), (-86_400_001, 86_400_000),
        ] as [(Int64, Int64)]
    )
    func boundsByTurn(difference: Int64, wait: Int64) {
        let written = Self.turn + difference
        #expect(ClientClock.wait(since: written, until: Self.turn) == wait)
        #expect(Self.turn - ClientClock.bounded(written, by: Self.turn) == wait)
    }

    @Test("The ends of the range of times are bounded too")
    func boundsExtremes() {
        for time in [Int64.min, .max] {
            let written = Timestamp(milliseconds: time)
            let wait = ClientClock.wait(since: written, until: Self.turn)
            #expect(wait == (time < 0 ? ClientClock.tolerance : 0))
            #expect(Self.turn - ClientClock.bounded(written, by: Self.turn) == wait)
        }
    }
}
