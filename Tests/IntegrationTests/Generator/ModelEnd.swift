import IntentKit

/// The terminal response that the model expects.
struct ModelEnd: Hashable, Sendable {
    /// The stage that owned it; nil where it is unspecified.
    var phase: String?
    var code: String?
    var status: String
    var endReason: String
    /// The values with which `handle` ran; nil when it did not.
    var parameters: JSONObject?
    /// The effects; nil where they are unspecified.
    var effects: [String]?
    /// Parameters that the intent does not have; nil where they are unspecified.
    var ignored: Set<String>?

    /// The differences between this and the actual response.
    func differences(from data: JSONValue) -> [String] {
        var differences: [String] = []
        func compare(_ name: String, _ expected: String?, _ actual: String?) {
            if expected != actual { differences.append("\(name): expected \(expected ?? "-"), came \(actual ?? "-")") }
        }
        if self.phase != nil { compare("phase", self.phase, data["phase"]?.string) }
        compare("code", self.code, data["code"]?.string)
        compare("status", self.status, data["status"]?.string)
        compare("endReason", self.endReason, data["endReason"]?.string)
        if let parameters = self.parameters {
            let expected = JSONValue.object(parameters).description
            compare("parameters", expected, data["intent"]?["parameters"]?.description)
        }
        let effects = (data["effects"]?.array ?? []).compactMap(\.string)
        if let expected = self.effects { compare("effects", "\(expected)", "\(effects)") }
        let ignored = Set((data["ignoredParameters"]?.array ?? []).compactMap(\.string))
        if let expected = self.ignored { compare("ignored", "\(expected.sorted())", "\(ignored.sorted())") }
        return differences
    }
}
