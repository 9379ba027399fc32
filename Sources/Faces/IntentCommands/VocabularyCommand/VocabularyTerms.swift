import IntentKit
import IntentOperations

/// Reads the terms of a user's vocabulary from a file, in order of importance.
enum VocabularyTerms {
    /// The largest number of bytes that are read: more than the event that carries them may have.
    private static let maximumBytes = 1 << 20

    /// Reads a file; `-` is standard input.
    ///
    /// It is one JSON array, or one term per line: JSON, or plain text.
    /// - Throws: ``OperationError``: file not found (66), an invalid term (65, with file and line).
    static func read(_ path: String) async throws(OperationError) -> [JSONValue] {
        var input = try LineReader(path, maximumLineBytes: Self.maximumBytes)
        let name = input.name
        var lines: [InputLine] = []
        var bytes = 0
        while let next = try await input.next() {
            lines += next
            bytes += next.reduce(0) { $0 + $1.bytes.count }
            guard bytes <= Self.maximumBytes else {
                throw OperationError(.badData, "\(name): a vocabulary has at most \(Self.maximumBytes / 1024) KiB")
            }
        }
        return try Self.terms(lines, name)
    }

    static func terms(_ lines: [InputLine], _ name: String) throws(OperationError) -> [JSONValue] {
        var terms: [(json: JSONValue, location: String)] = []
        if lines.first?.bytes.first(where: { $0 != 0x20 && $0 != 0x09 }) == UInt8(ascii: "[") {
            terms = try Self.array(lines, name)
        } else {
            for line in lines { terms.append((try Self.term(line, name), "\(name):\(line.number)")) }
        }
        for (json, location) in terms {
            if let problem = VocabularyEntry.problem(in: json) {
                throw OperationError(.badData, "\(location): \(problem)")
            }
        }
        guard terms.count <= VocabularyEntry.maximumCount else {
            throw OperationError(
                .badData,
                "\(name): \(terms.count) terms; a vocabulary has at most \(VocabularyEntry.maximumCount)"
            )
        }
        return terms.map(\.json)
    }

    private static func array(_ lines: [InputLine], _ name: String) throws(OperationError) -> [(JSONValue, String)] {
        let text = Array(lines.map(\.bytes).joined(separator: [0x0A]))
        do throws(JSONParsingError) {
            let json = try JSONValue(parsing: text)
            return (json.array ?? []).enumerated().map { ($1, "\(name): [\($0)]") }
        } catch {
            // Empty lines were left out: the line is that of the piece with the mistake.
            let index = text.prefix(error.offset).count { $0 == 0x0A }
            let line = lines[min(index, lines.count - 1)].number
            throw OperationError(.badData, "\(name):\(line): this is not JSON: \(error.message)")
        }
    }

    private static func term(_ line: InputLine, _ name: String) throws(OperationError) -> JSONValue {
        let bytes = line.bytes.drop { $0 == 0x20 || $0 == 0x09 }
        if bytes.first == UInt8(ascii: "{") || bytes.first == UInt8(ascii: "\"") {
            do throws(JSONParsingError) {
                return try JSONValue(parsing: bytes)
            } catch {
                throw OperationError(.badData, "\(name):\(line.number): this is not JSON: \(error.message)")
            }
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw OperationError(.badData, "\(name):\(line.number): this is not UTF-8 text")
        }
        return .string(String(text.reversed().drop { $0.isWhitespace }.reversed()))
    }
}
