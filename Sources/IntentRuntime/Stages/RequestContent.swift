internal import IntentKit
internal import LibCrypto

/// What a request asks for, without what may differ when a client sends it again (R8).
enum RequestContent {
    /// Tells requests with one id apart: intent, parameters, language and group.
    ///
    /// What was so at the moment in which it was sent does not count: the device and its lock, the sign-in, what the user
    /// allows, when it expires, where its views are shown. Nor does what intentd does not know.
    /// - Returns: The first half of the SHA-256 of the JSON, in hex.
    static func digest(of data: JSONValue) -> String {
        func present(_ value: JSONValue?) -> JSONValue? { value.flatMap { $0.isNull ? nil : $0 } }
        let intent = data["intent"]
        let content = JSONText.bytes { text in
            text.beginObject()
            text.member("group", value: present(data["groupIdentifier"]))
            text.member("intent", value: intent?["name"])
            text.member("locale", value: present(data["locale"]) ?? "en-US")
            text.name("parameters")
            switch present(intent?["parameters"]) {
            case nil: text.object([:])
            case .object(let values)?:
                text.beginObject()
                // A parameter that is null is not there.
                for (name, value) in values where !value.isNull {
                    text.name(name)
                    text.value(value)
                }
                text.endObject()
            case .some(let other): text.value(other)
            }
            text.endObject()
        }
        return SHA256.digest(content).hex(SHA256.byteCount / 2)
    }
}
