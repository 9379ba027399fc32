package import IntentKit

/// Signed JSON objects: the members `publicKey` and `signature`.
///
/// The signature covers all other members in their written form (keys sorted, no spaces) and the kind of document, so
/// that one kind cannot be passed off as another.
package enum SignedJSON {
    package enum Kind: String, Sendable {
        /// The heads of the chains.
        case anchor
        /// What was removed from a database file on purpose.
        case cut
    }

    package enum Check: Hashable, Sendable {
        case unsigned
        /// The signature is valid, and made with this key.
        case signed(VerifyingKey)
        /// The signature is invalid: the document was changed, or the signature belongs to another one.
        case invalid
    }

    /// The document with its signature.
    package static func sign(_ json: JSONValue, as kind: Kind, with key: SigningKey) -> JSONValue {
        var members = json.object ?? [:]
        members["publicKey"] = .string(key.publicKey.description)
        members["signature"] = .string(key.signature(of: Self.bytes(members, kind)))
        return .object(members)
    }

    package static func check(_ json: JSONValue, as kind: Kind) -> Check {
        guard var members = json.object, let signature = members.removeValue(forKey: "signature") else {
            return .unsigned
        }
        guard let signature = signature.string, let key = members["publicKey"]?.string.flatMap(VerifyingKey.init),
            key.isValid(signature, of: Self.bytes(members, kind))
        else { return .invalid }
        return .signed(key)
    }

    private static func bytes(_ members: JSONObject, _ kind: Kind) -> [UInt8] {
        Array("intentd \(kind.rawValue)\n".utf8) + JSONValue.object(members).utf8
    }
}
