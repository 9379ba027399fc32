internal import LibCrypto

/// Makes the keys by which services recognise a repeated call (R30).
package enum IdempotencyKeys: Hashable, Sendable {
    /// From the position of the first request: no other request of the deployment has it, of any user.
    case request(String, deployment: String)
    /// From the interaction's id, for an interaction that began before keys were made from requests.
    ///
    /// Clients choose these ids: two users, or one user later, may use the same one.
    case interaction(String)

    /// The key of one call.
    ///
    /// - Parameters:
    ///   - name: What is called.
    ///   - ordinal: Distinguishes calls of one name.
    /// - Returns: Visible ASCII; 32 hexadecimal digits when it is made from the request.
    func key(for name: String, ordinal: Int) -> String {
        switch self {
        case .request(let position, let deployment):
            // The name comes last: it may have any characters.
            SHA256.digest(Array("\(deployment)|effect|\(position)|\(ordinal)|\(name)".utf8)).hex(SHA256.byteCount / 2)
        case .interaction(let id): Self.visible("\(id)/\(name)/\(ordinal)")
        }
    }

    /// A text with every byte that is not visible ASCII, and `%`, escaped.
    private static func visible(_ text: String) -> String {
        var visible = ""
        for byte in text.utf8 {
            if (0x21...0x7E).contains(byte), byte != UInt8(ascii: "%") {
                visible.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                visible += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
        }
        return visible
    }
}
