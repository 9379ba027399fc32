import Foundation
import IntentKit

/// The reasons why a user can do nothing in UnicornChat, whatever the intent.
enum UnicornProblem: String, Sendable, Codable {
    /// The session has expired (behaviour 43).
    case sessionLapsed
    /// The user has signed out and must sign in again inside the app.
    case signedOut
    /// The service is down (behaviour 42).
    case serviceNotAvailable

    /// Looks for a problem, in one read.
    static func current(service: String = UnicornService.name, _ context: TurnContext) async throws -> UnicornProblem? {
        let userID = context.user.id
        let now = context.now
        return try await context.read("service") { store -> UnicornProblem? in
            if try UnicornService.isSignedOut(userID: userID, in: store) { return .signedOut }
            guard try UnicornService.hasSession(userID: userID, at: now, in: store) else { return .sessionLapsed }
            return try UnicornService.isAvailable(service: service, in: store) ? nil : .serviceNotAvailable
        }
    }

    /// A sentence for people.
    var errorDescription: String {
        switch self {
        case .sessionLapsed: "Sign in to \(UnicornService.name) again."
        case .signedOut: "You have signed out of \(UnicornService.name): sign in inside the app."
        case .serviceNotAvailable: "\(UnicornService.name) cannot be used now."
        }
    }

    /// The report; on a problem it carries what the app needs to continue (behaviour 66).
    func response<IntentType: Intent>(
        code: IntentType.Code,
        details: JSONObject = [:]
    ) -> IntentResponse<IntentType> {
        var details = details
        details["error"] = .string(self.rawValue)
        details["errorDescription"] = .string(self.errorDescription)
        return IntentResponse(code: code, userActivity: UserActivity(userInfo: details), details: details)
    }
}
