internal import IntentKit

/// What a request asks for, without what may differ when a client sends it again (R8).
enum RequestContent {
    /// Tells requests with one id apart: intent, parameters, language and group.
    ///
    /// What was so at the moment in which it was sent does not count: the device and its lock, the sign-in, what the user
    /// allows, when it expires, where its views are shown. Nor does what intentd does not know.
    /// - Returns: The first half of the SHA-256 of the JSON, in hex.
    static func digest(of data: JSONValue) -> String {
        func present(_ value: JSONValue?) -> JSONValue? { value.flatMap { $0.isNull ? nil : $0 } }
        var parameters = present(data["intent"]?["parameters"]) ?? .object([:])
        // A parameter that is null is not there.
        if let values = parameters.object { parameters = .object(values.filter { !$0.value.isNull }) }
        let content = JSONValue.members([
            "group": present(data["groupIdentifier"]),
            "intent": data["intent"]?["name"],
            "locale": present(data["locale"]) ?? "en-US",
            "parameters": parameters,
        ])
        return String(RecordDigest.of(content.utf8).prefix(32))
    }
}
