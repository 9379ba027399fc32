import Foundation
import Telemetry
import Testing

/// Keys of log metadata, labels of metrics and attributes of spans are defined in one place.
@Suite("Keys of logs, metrics and spans")
struct TelemetryKeyTests {
    private static let package = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// The literal keys in a source: in metadata for a logger, in labels of metrics, and in attributes of spans.
    static func literalKeys(in source: String) -> [String] {
        var found: [String] = []
        let openings = #/(?:metadata: \[|Logger\.Metadata = \[|metadata\.merging\(\[|dimensions: \[|dimensions = \[)/#
        for opening in source.matches(of: openings) {
            // Up to the closing bracket; those in between belong to interpolations and nested values.
            var depth = 1
            var end = opening.range.upperBound
            while end < source.endIndex, depth > 0 {
                if source[end] == "[" { depth += 1 }
                if source[end] == "]" { depth -= 1 }
                end = source.index(after: end)
            }
            let body = source[opening.range.upperBound..<end]
            found += body.matches(of: #/(?:^|[,\[]|\n)\s*\(?"([A-Za-z_.]+)"(?=[:,])/#).map { String($0.output.1) }
        }
        found += source.matches(of: #/metadata(?:Key: |\[)"([^"\\]+)"/#).map { String($0.output.1) }
        found += source.matches(of: #/attributes\["([^"\\]+)"\] = /#).map { String($0.output.1) }
        found += source.matches(of: #/self\.(?:count|timer|recorder)\(\.\w+, "([^"\\]+)"/#).map { String($0.output.1) }
        return found
    }

    @Test("No source contains a literal key")
    func sourcesHaveNoLiteralKeys() throws {
        let sources = Self.package.appending(path: "Sources")
        let files = try #require(FileManager.default.enumerator(atPath: sources.path))
        var count = 0
        while let file = files.nextObject() as? String {
            guard file.hasSuffix(".swift"), !file.hasPrefix("Telemetry/") else { continue }
            let text = try String(contentsOf: sources.appending(path: file), encoding: .utf8)
            #expect(Self.literalKeys(in: text) == [], "\(file)")
            if text.contains("TelemetryKey.") { count += 1 }
        }
        #expect(count > 20, "keys are looked for where they are")
    }

    @Test(
        "A literal key is found wherever it appears",
        arguments: [
            (#"logger.info("x", metadata: ["error": "\(error)"])"#, ["error"]),
            (#"metadata: [TelemetryKey.error: "\(a[0])", "count": "1"]"#, ["count"]),
            ("metadata: [\n    \"log.offset\": \"1\",\n]", ["log.offset"]),
            (#"logger[metadataKey: "stage"] = "x""#, ["stage"]),
            (#"metadata["record.key"] = "x""#, ["record.key"]),
            (#"dimensions: [("version", version)]"#, ["version"]),
            (#"self.count(.turns, "intent", intent)"#, ["intent"]),
            (#"span.attributes["code"] = code"#, ["code"]), (#"rule.attributes["subject"] == nil"#, []),
            (#"metadata: [TelemetryKey.error: "\(error)", TelemetryKey.count: "a, b"]"#, []),
        ]
    )
    func findsLiteralKeys(_ source: String, _ keys: [String]) {
        #expect(Self.literalKeys(in: source) == keys)
    }
}
