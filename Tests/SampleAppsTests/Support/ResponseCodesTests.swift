import Foundation
import IntentKit
import SampleApps
import Testing

@Suite("The table of response codes")
struct ResponseCodesTests {
    private static let package = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// The article's rows by intent: the codes in the first column, and the rest of the row.
    private static func rows() throws -> [String: [(codes: [String], rest: String)]] {
        let path = "Sources/Kit/SiriKitIntents/Documentation.docc/ResponseCodes.md"
        let text = try String(contentsOf: Self.package.appending(path: path), encoding: .utf8)
        var rows: [String: [(codes: [String], rest: String)]] = [:]
        var intents: [String] = []
        for line in text.split(separator: "\n") {
            if line.hasPrefix("#") {
                intents = line.drop { $0 == "#" || $0 == " " }.split(separator: ", ").map(String.init)
            } else if line.hasPrefix("| `"), let end = line.dropFirst().firstIndex(of: "|") {
                let codes = line[..<end].split(separator: "`").map(String.init).filter { $0.first?.isLetter ?? false }
                for intent in intents { rows[intent, default: []].append((codes, String(line[end...]))) }
            }
        }
        return rows
    }

    @Test("It names every code of every intent")
    func namesEveryCode() throws {
        let rows = try Self.rows()
        for registration in WorkoutsExtension.make().registrations + RidesExtension.make().registrations {
            let codes = (rows[registration.intentName] ?? []).flatMap(\.codes)
            #expect(Set(codes) == registration.codes, "\(registration.intentName)")
            #expect(codes.count == Set(codes).count, "\(registration.intentName) has a code twice")
        }
    }

    @Test("It names tests that exist")
    func namesExistingTests() throws {
        let tests = Self.package.appending(path: "Tests")
        var sources = ""
        for folder in [
            "DeclaredIntentsTests", "SampleAppsTests", "IntentRuntimeTests", "IntegrationTests", "Scenarios",
        ] {
            let files = FileManager.default.enumerator(atPath: tests.appending(path: folder).path)
            while let file = files?.nextObject() as? String {
                guard file.hasSuffix(".swift") || file.hasSuffix(".jsonl") else { continue }
                sources += try String(contentsOf: tests.appending(path: "\(folder)/\(file)"), encoding: .utf8)
            }
        }
        for (intent, rows) in try Self.rows() where intent.hasPrefix("IN") {
            for row in rows {
                let tests = row.rest.split(separator: "`").map { $0.split(separator: ".") }
                for test in tests where test.count == 2 && test[0].hasSuffix("Tests") {
                    let isThere = sources.contains("struct \(test[0])") && sources.contains("func \(test[1])(")
                    #expect(isThere, "\(intent): \(test[0]).\(test[1])")
                }
                for scenario in row.rest.split(separator: "\"").enumerated() where scenario.offset % 2 == 1 {
                    let isThere = sources.contains("\"name\": \"\(scenario.element)\"")
                    #expect(isThere, "\(intent): \(scenario.element)")
                }
            }
        }
    }
}
