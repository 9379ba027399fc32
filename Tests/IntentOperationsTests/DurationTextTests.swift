import Testing

@testable import IntentOperations

@Suite("Durations as people write them")
struct DurationTextTests {
    @Test(
        "Reads a number with a unit, or several",
        arguments: [
            ("100ms", Duration.milliseconds(100)), ("30s", .seconds(30)), ("5m", .seconds(300)),
            ("24h", .seconds(86_400)),
            ("7d", .seconds(604_800)), ("1h30m", .seconds(5_400)), ("0s", .zero),
        ]
    )
    func readsNumbersWithUnits(text: String, duration: Duration) {
        #expect(DurationText.read(text) == duration)
        #expect(DurationText.read(DurationText.write(duration)) == duration)
    }

    @Test(
        "Refuses anything else",
        arguments: ["", "5", "m", "5 m", "-5m", "5x", "5M", "1.5h", "5m ", "99999999999999999999s", "9999999d9999999d"]
    )
    func refusesOtherText(text: String) {
        #expect(DurationText.read(text) == nil)
    }

    @Test(
        "Writes the largest unit that is exact",
        arguments: [(1_500, "1500ms"), (90_000, "90s"), (86_400_000, "1d"), (0, "0ms")]
    )
    func writesLargestExactUnit(milliseconds: Int, text: String) {
        #expect(DurationText.write(.milliseconds(milliseconds)) == text)
    }
}
