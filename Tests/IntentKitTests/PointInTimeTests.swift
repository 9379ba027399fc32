import Foundation
import IntentKit
import Testing

@Suite("Times and durations")
struct PointInTimeTests {
    @Test(
        "A point in time is the same at any offset",
        arguments: [
            "2026-11-21T12:30:00Z", "2026-11-21T12:30Z", "2026-11-21t13:30:00+01:00", "2026-11-21T07:00:00.000-05:30",
            "2026-11-22T02:30:00+14:00",
        ]
    )
    func samePointInTimeAtAnyOffset(text: String) throws {
        #expect(try #require(OffsetDateTime(text)).date == Date(timeIntervalSince1970: 1_795_264_200))
    }

    @Test(
        "From time to text and back",
        arguments: [0, -1, 951_782_400.5, 1_700_000_000.123, -11_676_096_000, 253_402_300_799.999, 1_795_264_200.001]
    )
    func timeRoundTripsAsText(seconds: Double) {
        let text = OffsetDateTime(Date(timeIntervalSince1970: seconds))
        #expect(OffsetDateTime(text.text) == text, "what is written can be read: \(text.text)")
        #expect((text.date.timeIntervalSince1970 * 1_000).rounded() == (seconds * 1_000).rounded())
    }

    @Test("Milliseconds are rounded, not truncated")
    func roundsMilliseconds() {
        #expect(OffsetDateTime(Date(timeIntervalSince1970: 1_700_000_000.123)).text == "2023-11-14T22:13:20.123Z")
        #expect(OffsetDateTime(Date(timeIntervalSince1970: 0)).text == "1970-01-01T00:00:00.000Z")
    }

    @Test("Durations in seconds", arguments: [("PT20M", 1_200), ("P1W2DT3H4M5.5S", 788_645.5), ("P1D", 86_400)])
    func readsDurationsInSeconds(text: String, seconds: Double) throws {
        #expect(try #require(TimeSpan(text)).seconds == seconds)
    }

    @Test("Times of day in seconds", arguments: [("00:00", 0), ("13:30", 48_600), ("23:59:59.5", 86_399.5)])
    func readsTimesOfDayInSeconds(text: String, seconds: Double) throws {
        #expect(try #require(TimeOfDay(text)).seconds == seconds)
    }
}
