internal import Foundation
package import IntentEvents
package import IntentKit

/// Takes 10 s for one user in a hundred, five minutes for one other, and blocks its thread for a minute for some more.
package struct SlowForSomeHandler: IntentHandler {
    /// The measured intent as a Swift type.
    package struct BookTable: Intent {
        /// Its name on the wire.
        package static let intentName = BenchmarkIntent.name

        @Parameter var city: String?

        /// Creates an empty request.
        package init() {}
    }

    /// The user for whom it takes five minutes.
    package static let slowest: UserID = "slowest"

    /// A user for whom it blocks its thread for a minute.
    package static func blocking(_ number: Int) -> UserID { "\(Self.blockingPrefix)\(number)" }

    /// Whether the handler blocks its thread for this user.
    package static func blocks(_ userID: String) -> Bool { userID.hasPrefix(Self.blockingPrefix) }

    private static let blockingPrefix = "blocking-"

    /// Whether the handler is slow for this user, but for those above.
    package static func isSlow(_ userID: String) -> Bool {
        !Self.blocks(userID) && Int(userID.drop { !$0.isNumber }).map { $0 % 100 == 0 } ?? false
    }

    /// Waits for the slow users.
    package var handling: Handling<BookTable> {
        Handle { _, context in
            if context.user.id == Self.slowest.text { try await Task.sleep(for: .seconds(300)) }
            if Self.blocks(context.user.id) { Self.block() }
            if Self.isSlow(context.user.id) { try await Task.sleep(for: .seconds(10)) }
            return IntentResponse(code: .success)
        }
    }

    /// Blocks the thread, as a library does that knows nothing of tasks.
    private static func block() { Thread.sleep(forTimeInterval: 60) }
}
