import Testing

@testable import IntentKit

@Suite("Placeholders for results of effects that were not made")
struct PlaceholderTests {
    private struct Receipt: Codable, Equatable {
        struct Line: Codable, Equatable {
            var text: String
            var price: Double
        }
        var number: Int
        var isPaid: Bool
        var note: String?
        var first: Line
        var lines: [Line]
        var byName: [String: Int]
    }

    @Test("R44: a placeholder of any type is made, and its texts name what it replaces")
    func makesValuesOfAnyShape() throws {
        let receipt = try PlaceholderDecoder.make(Receipt.self, named: "(book)")
        let line = Receipt.Line(text: "(book)", price: 0)
        #expect(receipt == Receipt(number: 0, isPaid: false, note: nil, first: line, lines: [], byName: [:]))
        #expect(try PlaceholderDecoder.make(Int.self, named: "x") == 0)
        #expect(try PlaceholderDecoder.make(String.self, named: "x") == "x")
        #expect(try PlaceholderDecoder.make([Int].self, named: "x") == [])
        #expect(try PlaceholderDecoder.make(Int?.self, named: "x") == nil)
    }
}
