package import IntentKit

/// The measured intent as a Swift type with a handler that decides the same: the cost of a turn in an app of your own.
package enum TypedBooking {
    /// The intent.
    struct BookTable: Intent {
        static let intentName = BenchmarkIntent.name

        @Parameter var city: String?
        @Parameter(in: 1...12) var people: Int?
        @Parameter var note: String?
    }

    /// Accepts the values that were said, and asks for the missing ones.
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
