package import IntentKit
internal import LibCrypto

/// The content of a request, without what may differ when a client sends it again (R8).
package enum RequestContent {
    /// A digest that distinguishes requests with one id: intent, parameters, language and group.
    ///
    /// The circumstances of sending do not count: the device and its lock, the sign-in, the user's authorisation, the
    /// expiry, the place of views. Neither does what intentd does not know.
    /// - Returns: The first half of the SHA-256 of the JSON, in hex.
    package static func digest(of data: JSONView) -> String {
        func present(_ value: JSONView?) -> JSONView? { value.flatMap { $0.isNull ? nil : $0 } }
        let intent = data["intent"]
        let content = JSONText.bytes { text in
            text.beginObject()
            if let group = present(data["groupIdentifier"]) {
                text.name("group")
                group.write(to: &text)
            }
            if let name = intent?["name"] {
                text.name("intent")
                name.write(to: &text)
            }
            text.name("locale")
            if let locale = present(data["locale"]) { locale.write(to: &text) } else { text.string("en-US") }
            text.name("parameters")
            if let parameters = present(intent?["parameters"]) {
                if parameters.hasNullMember {
                    // A null parameter counts as absent.
                    text.object(parameters.value.object?.filter { !$0.value.isNull } ?? [:])
                } else {
                    parameters.write(to: &text)
                }
            } else {
                text.object([:])
            }
            text.endObject()
        }
        return SHA256.digest(content).hex(SHA256.byteCount / 2)
    }
}
