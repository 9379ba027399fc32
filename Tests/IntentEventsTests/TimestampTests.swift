import IntentEvents
import IntentLab
import Testing

@Suite("A timestamp has milliseconds, and is RFC 3339 as text")
struct TimestampTests {
    @Test(
        "It is written in UTC with milliseconds, and read back from text and from bytes",
        arguments: [
            (0, "1970-01-01T00:00:00.000Z"), (1, "1970-01-01T00:00:00.001Z"), (-1, "1969-12-31T23:59:59.999Z"),
            (951_782_400_000, "2000-02-29T00:00:00.000Z"), (1_709_251_199_999, "2024-02-29T23:59:59.999Z"),
            (-2_203_977_600_000, "1900-02-28T00:00:00.000Z"), (-2_203_891_200_000, "1900-03-01T00:00:00.000Z"),
            (4_107_542_400_000, "2100-03-01T00:00:00.000Z"), (1_795_264_200_000, "2026-11-21T12:30:00.000Z"),
            (-62_167_219_200_000, "0000-01-01T00:00:00.000Z"), (253_402_300_799_999, "9999-12-31T23:59:59.999Z"),
        ] as [(Int64, String)]
    )
    func writesUTCWithMilliseconds(milliseconds: Int64, text: String) {
        let time = Timestamp(milliseconds: milliseconds)
        #expect(time.description == text)
        #expect(Timestamp(text) == time)
        let read = Array(text.utf8).withUnsafeBufferPointer { Timestamp.read($0) }
        #expect(read?.time == time)
        #expect(read?.isAsWritten == true)
    }

    @Test(
        "Other forms of RFC 3339 are read, too, and known not to be what intentd writes",
        arguments: [
            ("2026-11-21T12:30Z", "2026-11-21T12:30:00.000Z"), ("2026-11-21t12:30:07z", "2026-11-21T12:30:07.000Z"),
            ("2026-11-21T12:30:07.5Z", "2026-11-21T12:30:07.500Z"),
            ("2026-11-21T12:30:07.123999Z", "2026-11-21T12:30:07.123Z"),
            ("2026-11-21T12:30:60Z", "2026-11-21T12:31:00.000Z"),
            ("2026-11-21T12:30:00+01:30", "2026-11-21T11:00:00.000Z"),
            ("2026-11-21T23:30:00.000-23:59", "2026-11-22T23:29:00.000Z"),
            ("2026-11-21T12:30-00:00", "2026-11-21T12:30:00.000Z"),
        ]
    )
    func readsOtherFormsOfRFC3339(text: String, same: String) {
        #expect(Timestamp(text)?.description == same)
        let read = Array(text.utf8).withUnsafeBufferPointer { Timestamp.read($0) }
        #expect(read?.time.description == same)
        #expect(read?.isAsWritten == false)
    }

    @Test(
        "Anything else is refused",
        arguments: [
            "", "2026-11-21", "2026-11-21T12:30", "2026-11-21T12:30:", "2026-11-21T12:30:0", "2026-11-21T12:30:00",
            "2026-11-21T12:30:61Z", "2026-11-21T24:00:00.000Z", "2026-11-21T23:60:00.000Z", "2026-13-01T00:00:00.000Z",
            "2026-00-01T00:00:00.000Z", "2026-11-00T00:00:00.000Z", "2026-11-32T00:00:00.000Z",
            "2026-11-21 12:30:00.000Z", "2026-11-21T12.30:00.000Z", "2026-11-21T12:30:00.Z", "2026-11-21T12:30:00.00xZ",
            "2026-11-21T12:30:00+24:00", "2026-11-21T12:30:00+01:60", "2026-11-21T12:30:00+0130",
            "2026-11-21T12:30:00*01:30", "0000-01-01T00:00:00+00:01", "9999-12-31T23:59:59-00:01",
            "+026-11-21T12:30:00.000Z", "2026-11-21T12:30:00.000Zz", "2026-11-21T12:30:00.000Q",
        ]
    )
    func refusesOtherText(text: String) {
        #expect(Timestamp(text) == nil)
        #expect(Array(text.utf8).withUnsafeBufferPointer { Timestamp.read($0) } == nil)
    }

    @Test("Sums and differences saturate at 64 bits, and a record's time at the limits of RFC 3339")
    func arithmeticSaturates() {
        let zero = Timestamp(milliseconds: 0)
        #expect(zero + 5 == Timestamp(milliseconds: 5))
        #expect((zero + 5) - zero == 5)
        #expect(Timestamp(milliseconds: .max) + 1 == .distantFuture)
        #expect(Timestamp(milliseconds: .min) + -1 == Timestamp(milliseconds: .min))
        #expect(Timestamp(milliseconds: .max) - Timestamp(milliseconds: -1) == .max)
        #expect(Timestamp(milliseconds: .min) - Timestamp(milliseconds: 1) == .min)
        #expect(Timestamp(clamping: .min).description == "0000-01-01T00:00:00.000Z")
        #expect(Timestamp(clamping: .max).description == "9999-12-31T23:59:59.999Z")
        #expect(Timestamp.distantFuture.description == "9999-12-31T23:59:59.999Z")
        #expect(Timestamp(milliseconds: 1) < Timestamp(milliseconds: 2))
    }

    @Test("Times and positions read from bytes equal those read from text")
    func readsTimesAndPositionsFromBytes() {
        var numbers = SeededNumbers(seed: 5)
        let texts = [
            "2026-11-21T12:30:00.000Z", "2024-02-29T23:59:59.999Z", "2026-02-29T00:00:00.000Z",
            "0000-01-01T00:00:00.000Z",
            "9999-12-31T23:59:59.999Z", "2026-11-21T12:30:60.000Z", "requests/1/7", "dead-letters/0/123456789012345678",
            "requests/+1/-7", "a/1/2", "journal/9223372036854775807/9223372036854775808",
        ]
        for _ in 0..<20_000 {
            var text = Array(texts.randomElement(using: &numbers)!.utf8)
            for _ in 0..<Int.random(in: 0...2, using: &numbers) {
                let index = text.indices.randomElement(using: &numbers)!
                text[index] = Array("0123456789-+:.TZtz/ ".utf8).randomElement(using: &numbers)!
            }
            let string = String(decoding: text, as: UTF8.self)
            let time = text.withUnsafeBufferPointer { Timestamp.read($0) }
            let isSame =
                time?.time == Timestamp(string) && time?.isAsWritten ?? false == (time?.time.description == string)
                && text.withUnsafeBufferPointer { RecordPosition(utf8: $0) } == RecordPosition(string)
            if !isSame { Issue.record("\(string)") }
        }
    }
}
