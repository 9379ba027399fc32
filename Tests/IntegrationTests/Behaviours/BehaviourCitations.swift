import Foundation

/// The behaviours that the names of tests cite: `behaviour 24`, `behaviours 24, 26 and 31`.
struct BehaviourCitations: Sendable {
    /// The package's directory.
    static let package = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// The files, by path in the package, that cite a number.
    private(set) var files: [Int: Set<String>] = [:]

    /// Reads every test of the package.
    init() throws {
        let tests = Self.package.appending(path: "Tests")
        for path in try FileManager.default.subpathsOfDirectory(atPath: tests.path) where path.hasSuffix(".swift") {
            let text = try String(contentsOf: tests.appending(path: path), encoding: .utf8)
            for number in Self.numbers(in: text) { self.files[number, default: []].insert("Tests/\(path)") }
        }
    }

    /// The numbers that the names of a file's tests cite; comments and messages do not count.
    static func numbers(in text: String) -> Set<Int> {
        let name = /@Test\(\s*"((?:[^"\\]|\\.)*)"/
        let citation = /[Bb]ehaviours? ([0-9]+(?:(?:, | and )[0-9]+)*)/
        var numbers: Set<Int> = []
        for match in text.matches(of: name) {
            for cited in match.output.1.matches(of: citation) {
                numbers.formUnion(cited.output.1.split { !$0.isNumber }.compactMap { Int($0) })
            }
        }
        return numbers
    }
}
