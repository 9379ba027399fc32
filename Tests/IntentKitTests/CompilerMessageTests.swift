import Foundation
import Testing

/// The compiler's messages for mistakes of authors, from the compiler itself.
@Suite("Mistakes that do not compile")
struct CompilerMessageTests {
    /// What IntentKit's own module imports from C.
    private static let cModule = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../Sources/System/CLibCrypto/module.modulemap").standardized.path
    /// The modules are beside the test program.
    private static let modules = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
        .appending(path: "Modules")

    private static let intent = #"""
        import IntentKit
        struct LogSet: Intent {
            @Parameter(in: 1...100) var reps: Int?
            @Parameter var tags: [String]?
        }
        """#

    private static let handle = "Handle { intent, context in IntentResponse(code: .success) }"

    @Test("A correct handler compiles")
    func correctHandlerCompiles() async throws {
        let parts = "Resolve(\\.$reps) { said, _ in .needsValue() }\n\(Self.handle)"
        let output = try await Self.compile(Self.handler(parts))
        #expect(output.isEmpty)
    }

    @Test(
        "A mistake is a compiler error that says what to do",
        arguments: [
            (Self.handler("Resolve(\\.$reps) { said, _ in .needsValue() }"), "a handler has to have a Handle {"),
            (Self.handler(""), "a handler has to have a Handle {"),
            (Self.handler("\(Self.handle)\n\(Self.handle)"), "a handler has one Handle {"),
            (Self.handler("Resolve(\\.$rep) { said, _ in .needsValue() }\n\(Self.handle)"), "has no member '$rep'"),
            (
                Self.handler("Resolve(\\.$reps) { said, _ in .success(with: \"five\") }\n\(Self.handle)"),
                "cannot convert value of type 'String' to expected argument type 'Int'"
            ),
            (
                Self.handler("Resolve(\\.$reps) { _, _ in .disambiguation(with: [\"5\"]) }\n\(Self.handle)"),
                "cannot convert value of type 'String' to expected element type 'Int'"
            ),
            (
                Self.handler("Handle { _, _ in .init(code: .failureTooHeavy) }"),
                "has no member 'failureTooHeavy'"
            ),
            (
                Self.handler("Handle { _, _ in IntentResponse(code: .failureTooHeavy) }"),
                "type 'BasicResponseCode' has no member 'failureTooHeavy'"
            ),
            (
                Self.handler(
                    "Confirm { _, _ in IntentResponse(code: .reddy).saying(\"Shall I?\") }\n\(Self.handle)"
                ),
                "type 'BasicResponseCode' has no member 'reddy'"
            ),
            (
                Self.handler("Resolve(\\.reps) { said, _ in .needsValue() }\n\(Self.handle)"),
                "the path of a parameter begins with $, such as \\.$item"
            ),
            (
                Self.handler("Resolve(\\.reps) { said, intent, _ in .needsValue() }\n\(Self.handle)"),
                "the path of a parameter begins with $, such as \\.$item"
            ),
            (
                Self.handler("Resolve(\\.tags) { said, _ in [.needsValue()] }\n\(Self.handle)"),
                "the path of a parameter begins with $, such as \\.$items"
            ),
            (
                "struct Lift: Intent { @Parameter var reps: Int?\n@Parameter(dependsOn: [\\Self.$rep]) var weight: Double? }",
                "value of type 'Lift' has no member '$rep'"
            ),
            ("struct Lift: Intent { @Parameter(in: \"a\"...\"z\") var reps: Int? }", "'Int'"),
            ("struct Lift: Intent { @Parameter(default: \"five\") var reps: Int? }", "'Int?'"),
            ("struct Lift: Intent { @Parameter var reps: Range<Int>? }", "'ParameterValue'"),
        ]
    )
    func mistakesAreErrorsThatHelp(code: String, message: String) async throws {
        let output = try await Self.compile(code)
        #expect(output.contains("error: "))
        #expect(output.contains(message), "\(output)")
    }

    private static func handler(_ parts: String) -> String {
        "struct LogSetHandler: IntentHandler {\nvar handling: Handling<LogSet> {\n\(parts)\n}\n}"
    }

    /// Compiles a file; returns the compiler's messages.
    static func compile(_ code: String, after start: String = Self.intent) async throws -> String {
        let file = FileManager.default.temporaryDirectory.appending(path: "Mistake-\(UUID().uuidString).swift")
        defer { try? FileManager.default.removeItem(at: file) }
        try "\(start)\n\(code)\n".write(to: file, atomically: true, encoding: .utf8)
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [
            "swiftc", "-typecheck", "-swift-version", "6", "-I", Self.modules.path, "-Xcc",
            "-fmodule-map-file=\(Self.cModule)", file.path,
        ]
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        return try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                do {
                    try process.run()
                    let bytes = pipe.fileHandleForReading.readDataToEndOfFile()
                    process.waitUntilExit()
                    continuation.resume(returning: String(decoding: bytes, as: UTF8.self))
                } catch {
                    continuation.resume(throwing: error)
                }
            }
        }
    }
}
