import IntentEvents
import IntentKit
import IntentLab
import Testing

@testable import IntentAudit
@testable import IntentCommands

@Suite("R44: the lines of a shadow run")
struct ShadowTextTests {
    private static func amount(_ amount: String, _ currency: String = "EUR") -> JSONValue {
        ["amount": .string(amount), "currencyCode": .string(currency)]
    }

    /// A report of one place with these values, one interaction each.
    private static func report(
        _ kind: ShadowDifference.Kind,
        _ path: String = "",
        _ values: [(then: JSONValue?, now: JSONValue?)]
    ) -> ShadowReport {
        var report = ShadowReport()
        for (index, (then, now)) in values.enumerated() {
            let difference = ShadowDifference(kind: kind, path: path, then: then, now: now, rawThen: then, rawNow: now)
            report.add("BookVet", "vet-\(index)", [difference])
        }
        return report
    }

    private static func lines(_ report: ShadowReport) -> [String] { ShadowText(report, limit: 20).lines(within: 100) }

    @Test("Amounts are shown as people write them, with the figures of their changes")
    func figuresOfAmounts() throws {
        let same = Self.report(
            .details,
            "intentConfirmation: price",
            [(Self.amount("42.00"), Self.amount("46.00")), (Self.amount("42.00"), Self.amount("46.00"))]
        )
        #expect(
            Self.lines(same) == [
                "BookVet                                                     2 of 2 differ",
                "  details       2  intentConfirmation: price  +4.00 EUR in all",
                "                   42.00 EUR → 46.00 EUR    vet-0, vet-1",
            ]
        )
        let others = Self.report(
            .details,
            "price",
            [
                (Self.amount("42.00"), Self.amount("46.00")), (Self.amount("10"), Self.amount("9.5")),
                (Self.amount("1.00"), Self.amount("2.00")), (nil, Self.amount("3.00")),
            ]
        )
        let figures = try #require(others.groups.first?.figures)
        #expect(figures.json == ["count": 3, "least": -0.5, "median": 1.0, "most": 4.0, "unit": "EUR"])
        #expect(Self.lines(others)[1].hasSuffix("price  +1.00 EUR in 3 of 4 (least -0.5, most +4.00)"))
    }

    @Test("Numbers and durations have figures, too")
    func figuresOfNumbersAndDurations() {
        #expect(Self.report(.details, "n", [(7, 5)]).groups.first?.figures?.most.text == "-2")
        #expect(Self.report(.details, "n", [(1.5, 1.25)]).groups.first?.figures?.most.text == "-0.25")
        let duration = Self.report(.details, "d", [("PT20M", "PT30M")]).groups.first?.figures
        #expect(duration?.most.text == "+600")
        #expect(duration?.unit == "s")
        #expect(Self.report(.details, "n", [(.integer(.min), .integer(.max))]).groups.first?.figures == nil)
    }

    @Test("Another currency has no figure, and neither have different units at one place")
    func otherCurrencyHasNoFigure() {
        let other = Self.report(.details, "price", [(Self.amount("42.00"), Self.amount("46.00", "USD"))])
        #expect(other.groups.first?.figures == nil)
        let units = Self.report(.details, "price", [(1, 2), (Self.amount("42.00"), Self.amount("46.00"))])
        #expect(units.groups.first?.figures == nil)
    }

    @Test("R40: a masked value has no figure")
    func maskedValuesHaveNoFigure() {
        let difference = ShadowDifference(
            kind: .details,
            path: "price",
            then: "•••",
            now: "•••",
            rawThen: 42,
            rawNow: 46
        )
        var report = ShadowReport()
        report.add("BookVet", "vet-0", [difference])
        #expect(report.groups.first?.figures == nil)
        #expect(Self.lines(report).last?.contains("••• → •••") == true)
        #expect(report.json["differences"]?.array?.first?["then"] == "•••")
    }

    @Test("Options are shown by what is added and removed, questions by what is asked besides or no longer")
    func optionsAndPrompts() {
        func last(_ kind: ShadowDifference.Kind, _ then: JSONValue?, _ now: JSONValue?) -> String? {
            Self.lines(Self.report(kind, "", [(then, now)])).last
        }
        #expect(last(.options, ["a", "b"], ["b", "c"])?.contains("added c; removed a") == true)
        #expect(last(.options, ["a", "b"], ["b", "a"])?.contains("another order") == true)
        let titles: JSONValue = [["title": "Check-up", "value": "a"]]
        #expect(last(.options, titles, [])?.contains("removed Check-up") == true)
        #expect(last(.prompts, nil, "needsValue:phone")?.contains("also asks needsValue:phone") == true)
        #expect(last(.prompts, "needsValue:time", nil)?.contains("no longer asks needsValue:time") == true)
        #expect(last(.end, "success nominal", "failure failed")?.contains("success nominal → failure failed") == true)
    }

    @Test("Of long sentences, the words that differ are shown")
    func wordsThatDiffer() {
        let words = Array(repeating: "word", count: 40).joined(separator: " ")
        let report = Self.report(.dialog, "response", [("\(words) nine \(words)", "\(words) ten \(words)")])
        let line = Self.lines(report).last ?? ""
        #expect(line.contains("“… word word nine word word …” → “… word word ten word word …”"), "\(line)")
    }

    @Test("The most frequent come first, and the rest is counted")
    func limit() {
        var report = Self.report(.details, "price", [(1, 2), (1, 2), (1, 3)])
        report.add("OrderLunch", "lunch-0", [])
        report.add("OrderLunch", unknown: "asks needsValue:phone", "lunch-1")
        let all = Self.lines(report)
        #expect(all.contains("  unknown       1  asks needsValue:phone"))
        #expect(all.contains { $0.contains("3 of 3 differ") })
        #expect(report.summary == "5 interactions played, 3 would differ, 1 unknown")
        #expect(ShadowText(report, limit: 1).lines(within: 100).last == "… and 1 more (--limit, --json)")
    }

    @Test("No line has more than a hundred columns, whatever the values, in any script", arguments: 0..<40)
    func hundredColumns(seed: Int) {
        var numbers = SeededNumbers(seed: UInt64(seed))
        let alphabets = ["abc def", "漢字かな ", "שלום עולם", "👩‍👩‍👧🇩🇪 é", "ก็ \u{1B}[31m\n"]
        func text(_ numbers: inout SeededNumbers) -> String {
            let alphabet = Array(alphabets[Int.random(in: 0..<alphabets.count, using: &numbers)])
            var text = ""
            for _ in 0..<Int.random(in: 0..<200, using: &numbers) {
                text.append(alphabet[Int.random(in: 0..<alphabet.count, using: &numbers)])
            }
            return text
        }
        var report = ShadowReport()
        for kind in ShadowDifference.Kind.allCases {
            let values = [text(&numbers), text(&numbers)]
            let difference = ShadowDifference(
                kind: kind,
                path: text(&numbers),
                then: .string(values[0]),
                now: kind == .options ? [.string(values[1])] : .string(values[1]),
                rawThen: 1,
                rawNow: 2
            )
            report.add(text(&numbers), InteractionID(text(&numbers)), [difference])
        }
        report.add(text(&numbers), unknown: text(&numbers), InteractionID(text(&numbers)))
        for width in [40, 100] {
            for line in ShadowText(report, limit: 20).lines(within: width) {
                #expect(TextWidth.columns(of: line) <= width, "\(line)")
            }
        }
    }
}
