import Testing

@testable import IntentCommands

@Suite("The progress line")
struct ProgressLineTests {
    private static func line(
        _ done: Int64,
        _ total: Int64?,
        _ unit: String = "turns",
        share: Double? = nil,
        seconds: Int64 = 10
    ) -> ProgressLine {
        ProgressLine(done: done, total: total, unit: unit, share: share, elapsed: .seconds(seconds))
    }

    @Test("Bar, share, count, rate and remaining time")
    func showsBarShareCountRateAndTimeLeft() {
        #expect(
            Self.line(250, 1_000).text(columns: 80)
                == "[######------------------] 25 %  250 of 1000 turns  25/s  0:30 left"
        )
        #expect(Self.line(1, 1_000).text(columns: 120).hasSuffix("2:46:30 left"))
        #expect(Self.line(1_000, 1_000).text(columns: 80).hasPrefix("[########################] 100 %"))
    }

    @Test("At first there is no rate; without a total the elapsed time is shown")
    func showsElapsedTimeWithoutTotal() {
        #expect(
            Self.line(10, 1_000, seconds: 0).text(columns: 80) == "[------------------------] 1 %  10 of 1000 turns"
        )
        #expect(Self.line(40, nil).text(columns: 80) == "40 turns  4/s  0:10")
        #expect(Self.line(0, nil, "").text(columns: 80) == "0:10")
        #expect(Self.line(0, 0).text(columns: 80) == "0 of 0 turns  0:10")
    }

    @Test("A given share replaces the one computed from the count, up to 100 %")
    func showsGivenShareUpToAll() {
        #expect(Self.line(70, nil, "events", share: 0.5).text(columns: 80).contains("50 %  70 events  7/s  0:10 left"))
        #expect(Self.line(70, nil, "events", share: 1.5).text(columns: 80).contains("100 %"))
    }

    @Test("A narrow terminal gets no bar and no second line")
    func narrowTerminalGetsOneLineWithoutBar() {
        #expect(Self.line(250, 1_000).text(columns: 50) == "25 %  250 of 1000 turns  25/s  0:30 left")
        #expect(Self.line(250, 1_000).text(columns: 10) == "25 %  250 ")
    }
}
