package import IntentEvents
import IntentKit

/// Takes 10 s for one user in a hundred, and five minutes for one other.
package struct SlowForSomeHandler: IntentHandler {
    /// The measured intent as a Swift type.
    struct BookTable: Intent {
        static let intentName = BenchmarkIntent.name

        enum Code: String, IntentResponseCode {
            case ready
            case inProgress
            case success
            case failure
        }

        var city: String?
        static let parameters: [IntentParameter<Self>] = [.init("city", \.city)]
    }

    /// The user for whom it takes five minutes.
    package static let slowest: UserID = "slowest"

    /// Whether the handler is slow for this user.
    package static func isSlow(_ userID: String) -> Bool {
        Int(userID.drop { !$0.isNumber }).map { $0 % 100 == 0 } ?? false
    }

    func handle(intent: BookTable, context: TurnContext) async throws -> IntentResponse<BookTable> {
        if context.user.id == Self.slowest.text { try await Task.sleep(for: .seconds(300)) }
        if Self.isSlow(context.user.id) { try await Task.sleep(for: .seconds(10)) }
        return IntentResponse(code: .success)
    }
}
