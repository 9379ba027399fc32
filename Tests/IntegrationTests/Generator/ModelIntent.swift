import IntentKit

/// The model of an intent.
struct ModelIntent: Sendable {
    /// The policy that decides whether the user is asked.
    enum Confirmation: String, Sendable, CaseIterable {
        case always
        case never
        case byHandler
    }

    var name: String
    var confirmation: Confirmation
    /// Always confirmed, and never processed while the device is locked.
    var isFinancial = false
    /// Not processed while the device is locked.
    var isRestricted = false
    /// Whether a Swift handler carries it out according to its script.
    var isScripted = false
    /// Whether its handler has little time.
    var isImpatient = false
    var parameters: [ModelParameter]

    /// The intent as a file declares it.
    var definition: JSONValue {
        var members: JSONObject = [
            "name": .string(self.name),
            "confirmation": .string(self.confirmation.rawValue),
            "parameters": .array(self.parameters.map(\.definition)),
        ]
        if self.isFinancial { members["financial"] = true }
        if self.isScripted { members["handler"] = "swift" }
        return .object(members)
    }
}
