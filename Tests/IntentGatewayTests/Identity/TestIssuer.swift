import Foundation
import IntentEvents
import IntentKit
import IntentLab
import LibCrypto
import LocalHTTP
import Synchronization

@testable import IntentGateway

/// An issuer whose tokens a test makes, and whose key document it can change.
final class TestIssuer: Sendable {
    static let now: Double = 1_800_000_000

    let key = Ed25519.PrivateKey()
    private let document: Mutex<Result<[UInt8], IssuerKeys.Failure>>
    private let reads = Atomic(0)
    private let uptime = Mutex(ContinuousClock.now)

    init() {
        self.document = Mutex(.success([]))
        self.publish(Self.document([Self.jwk(self.key, id: "first")]))
    }

    /// How often the document was read.
    var readCount: Int { self.reads.load(ordering: .sequentiallyConsistent) }

    func publish(_ document: JSONValue) { self.document.withLock { $0 = .success(document.utf8) } }

    func fail() { self.document.withLock { $0 = .failure(IssuerKeys.Failure(description: "no connection")) } }

    func advance(_ time: Duration) { self.uptime.withLock { $0 += time } }

    static func document(_ keys: [JSONValue]) -> JSONValue { ["keys": .array(keys)] }

    static func jwk(_ key: Ed25519.PrivateKey, id: String?) -> JSONValue {
        .members([
            "kty": "OKP", "crv": "Ed25519", "x": .string(Self.base64(key.publicKey.rawRepresentation)),
            "kid": id.map(JSONValue.string), "use": "sig",
        ])
    }

    static func base64(_ bytes: some Sequence<UInt8>) -> String {
        Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    // MARK: Tokens

    static let header: JSONObject = ["alg": "EdDSA", "kid": "first", "typ": "JWT"]
    static var claims: JSONObject {
        [
            "iss": "https://issuer.example", "aud": ["https://intents.example", "other"], "sub": "anna",
            "exp": .integer(Int64(Self.now) + 60), "iat": .integer(Int64(Self.now)),
            "scope": "intents.ask intents.read openid", "client_id": "phone",
        ]
    }

    /// A signed token.
    func token(
        header: JSONObject = TestIssuer.header,
        claims: JSONObject = TestIssuer.claims,
        key: Ed25519.PrivateKey? = nil
    ) -> String {
        self.token(header: JSONValue.object(header).utf8, claims: JSONValue.object(claims).utf8, key: key)
    }

    func token(header: [UInt8], claims: [UInt8], key: Ed25519.PrivateKey? = nil) -> String {
        let message = "\(Self.base64(header)).\(Self.base64(claims))"
        return message + "." + Self.base64((key ?? self.key).signature(for: Array(message.utf8)))
    }

    /// A token with changed claims; nil removes one.
    func token(changing changes: KeyValuePairs<String, JSONValue?>) -> String {
        var claims = Self.claims
        for (name, value) in changes { claims[name] = value }
        return self.token(claims: claims)
    }

    // MARK: What reads them

    func makeKeys() -> IssuerKeys {
        IssuerKeys(
            "test",
            logger: LogLines().logger(),
            now: { self.uptime.withLock(\.self) },
            load: {
                self.reads.add(1, ordering: .sequentiallyConsistent)
                return try self.document.withLock { try $0.get() }
            }
        )
    }

    static var settings: TokenSettings {
        var settings = TokenSettings()
        settings.keys = "test"
        settings.issuer = "https://issuer.example"
        settings.audiences = ["https://intents.example"]
        return settings
    }

    func makeVerifier(
        _ change: (inout TokenSettings) -> Void = { _ in },
        now: @escaping @Sendable () -> Double = { TestIssuer.now }
    ) -> TokenVerifier {
        var settings = Self.settings
        change(&settings)
        return TokenVerifier(settings, keys: self.makeKeys(), now: now)
    }
}
