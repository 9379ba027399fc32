package import IntentKit

/// The measured intent as a Swift type with a handler of the same decisions: what a turn costs in an app of one's own.
package enum TypedBooking {
    /// The intent.
    struct BookTable: Intent {
        static let intentName = BenchmarkIntent.name

        @Parameter var city: String?
        @Parameter(in: 1...12) var people: Int?
        @Parameter var note: String?
    }

    /// Takes what was said, and asks for what was not.
    struct Handler: IntentHandler {
        var handling: Handling<BookTable> {
            Resolve(\.$city) { said, _ in said.map { .success(with: $0) } ?? .needsValue() }
            Resolve(\.$people) { said, _ in said.map { .success(with: $0) } ?? .needsValue() }
            Resolve(\.$note) { said, _ in said.map { .success(with: $0) } ?? .needsValue() }
            Confirm { intent, _ in IntentResponse(code: intent.city == nil ? .failure : .ready) }
            Handle { intent, _ in
                IntentResponse(code: .success, details: ["people": .integer(Int64(intent.people ?? 0))])
            }
        }
    }

    /// A registry with the intent alone.
    /// - Throws: ``IntentRegistry/ConfigurationError``.
    package static func registry() throws -> IntentRegistry {
        try IntentRegistry([
            IntentExtension("Benchmark") { IntentRegistration(confirmation: .never, usesLedger: false) { Handler() } }
        ])
    }
}
