internal import Foundation
internal import IntentEvents
internal import LibCrypto

/// A secret that signs posts, as the Standard Webhooks specification has it: `whsec_` and 24 to 64 bytes in Base64.
package struct WebhookSecret: Hashable, Sendable {
    private static let prefix = "whsec_"
    private static let sizes = 24...64

    private let key: [UInt8]

    /// Reads a secret; nil for any other text.
    package init?(_ text: String) {
        guard text.hasPrefix(Self.prefix), let data = Data(base64Encoded: String(text.dropFirst(Self.prefix.count))),
            Self.sizes.contains(data.count)
        else { return nil }
        self.key = Array(data)
    }

    /// What a secret must be, in words that follow "must be".
    package static let expectation =
        "whsec_ and \(Self.sizes.lowerBound) to \(Self.sizes.upperBound) bytes in Base64, such as the output of "
        + "`echo whsec_$(openssl rand -base64 32)`"

    /// The signature of a message that is sent at that second: `v1,` and the Base64 of the HMAC with SHA-256.
    package func signature(of message: WebhookMessage, at seconds: Int64) -> String {
        let signed = Array("\(message.id).\(seconds).".utf8) + message.body
        return "v1," + Data(HMACSHA256.code(for: signed, key: self.key)).base64EncodedString()
    }
}
