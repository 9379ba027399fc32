import IntentKit
import SiriKitIntents

/// The reasons why a user cannot call anybody, or one person.
enum CallProblem: String, Sendable, Codable {
    case signedOut
    case sessionLapsed
    case notConfigured
    case airplaneMode
    case serviceNotAvailable
    /// There is an active call already.
    case callInProgress
    /// An incoming call is ringing.
    case callRinging
    case contactNotSupported
    /// There is no app that accepts the call.
    case unableToHandOff

    /// The codes for it, by preference: not every intent has the best one.
    var codes: [String] {
        switch self {
        case .signedOut: ["failureRequiringInAppAuthentication", "failureRequiringAppLaunch"]
        case .sessionLapsed: ["failureRequiringAppLaunch"]
        case .notConfigured: ["failureAppConfigurationRequired"]
        case .airplaneMode: ["failureAirplaneModeEnabled", "failureCallingServiceNotAvailable"]
        case .serviceNotAvailable: ["failureCallingServiceNotAvailable"]
        case .callInProgress: ["failureCallInProgress", "failureCallingServiceNotAvailable"]
        case .callRinging: ["failureCallRinging", "failureCallingServiceNotAvailable"]
        case .contactNotSupported: ["failureContactNotSupportedByApp"]
        case .unableToHandOff: ["failureUnableToHandOff", "failureRequiringAppLaunch"]
        }
    }

    /// A sentence for people.
    var errorDescription: String {
        switch self {
        case .signedOut: "Sign in inside \(UnicornTalk.name) first."
        case .sessionLapsed: "Sign in to \(UnicornTalk.name) again."
        case .notConfigured: "Set \(UnicornTalk.name) up first."
        case .airplaneMode: "The device is in airplane mode."
        case .serviceNotAvailable: "No calls can be made now."
        case .callInProgress: "There is a call already."
        case .callRinging: "Somebody is calling."
        case .contactNotSupported: "That person cannot be called with \(UnicornTalk.name)."
        case .unableToHandOff: "No device can take the call over."
        }
    }

    /// The report; it carries what the app needs to continue (behaviour 66).
    func response<IntentType: Intent>(details: JSONObject = [:]) -> IntentResponse<IntentType> {
        var details = details
        details["error"] = .string(self.rawValue)
        details["errorDescription"] = .string(self.errorDescription)
        let code = self.codes.lazy.compactMap(IntentType.Code.init(rawValue:)).first ?? .failure
        return IntentResponse(code: code, userActivity: UserActivity(userInfo: details), details: details)
    }

    /// The problem with a user's line, or with calling these contacts.
    static func current(
        userID: String,
        calling contacts: [String],
        in store: any StoreTransaction
    ) throws -> CallProblem? {
        if let problem = try Self.withApp(userID: userID, in: store) { return problem }
        let line = try UnicornTalk.line(of: userID, in: store)
        if line.isInAirplaneMode { return .airplaneMode }
        if !line.isServiceAvailable { return .serviceNotAvailable }
        var search = CallSearch(of: userID)
        search.want([.ringing, .inProgress])
        switch try search.calls(limit: 1, in: store).first?.callRecordType {
        case .ringing?: return .callRinging
        case .inProgress?: return .callInProgress
        default: break
        }
        let refusing = try UnicornTalk.callees(contacts, of: userID, without: "is_supported", in: store)
        if !refusing.isEmpty { return .contactNotSupported }
        return line.canHandOff ? nil : .unableToHandOff
    }

    /// The problem with the app, whatever the request.
    static func withApp(userID: String, in store: any StoreTransaction) throws -> CallProblem? {
        let line = try UnicornTalk.line(of: userID, in: store)
        if line.isSignedOut { return .signedOut }
        if !line.hasSession { return .sessionLapsed }
        return line.isConfigured ? nil : .notConfigured
    }
}
