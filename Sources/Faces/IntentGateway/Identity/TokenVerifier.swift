internal import IntentEvents
internal import IntentKit
internal import LibCrypto
internal import Synchronization

/// Makes callers of tokens (R85).
package final class TokenVerifier: Sendable {
    /// A caller whose token was verified before.
    private struct Known {
        var caller: Caller
        var validUntil: Double
    }

    private struct Cache {
        var version = -1
        var callers: [SHA256Digest: Known] = [:]
    }

    /// The most tokens whose callers are kept: verifying one again costs a tenth of a millisecond.
    private static let maximumKnown = 10_000

    package let keys: IssuerKeys
    private let settings: TokenSettings
    /// The time in seconds since 1970.
    private let now: @Sendable () -> Double
    private let cache = Mutex(Cache())

    package init(_ settings: TokenSettings, keys: IssuerKeys, now: @escaping @Sendable () -> Double) {
        self.settings = settings
        self.keys = keys
        self.now = now
    }

    private var skew: Double { self.settings.clockSkew / .seconds(1) }

    /// How many seconds are left until a point in time, at least 0.
    func secondsUntil(_ time: Timestamp) -> Int64 {
        Int64(max(0, min(Double(time.milliseconds) / 1_000 - self.now() + self.skew, 1e9)).rounded(.up))
    }

    /// The caller with that token.
    /// - Throws: ``TokenRefusal``.
    package func caller(with text: String) async throws(TokenRefusal) -> Caller {
        guard text.utf8.count <= JSONWebToken.maximumBytes else { throw TokenRefusal(.malformed) }
        let digest = SHA256.digest(Array(text.utf8))
        let now = self.now()
        var (keys, version) = self.keys.current
        let known = self.cache.withLock { $0.version == version ? $0.callers[digest] : nil }
        if let known, now < known.validUntil { return known.caller }
        let token = try JSONWebToken(text)
        if keys.map({ keys in token.keyID.map { !keys.hasKey($0) } ?? false }) ?? true {
            (keys, version) = await self.keys.refreshed()
        }
        guard let keys else { throw TokenRefusal(.noKeys) }
        let candidates = keys.keys(token.keyID, token.algorithm)
        guard !candidates.isEmpty else { throw TokenRefusal(.key) }
        guard candidates.contains(where: { $0.isValidSignature(token.signature, for: token.message) }) else {
            throw TokenRefusal(.signature)
        }
        let (caller, expiry) = try self.caller(of: token.claims, at: now)
        let version_ = version
        self.cache.withLock { cache in
            if cache.version != version_ || cache.callers.count >= Self.maximumKnown {
                cache = Cache(version: version_)
            }
            cache.callers[digest] = Known(caller: caller, validUntil: expiry + self.skew)
        }
        return caller
    }

    private func caller(
        of claims: JSONObject,
        at now: Double
    ) throws(TokenRefusal) -> (caller: Caller, expiry: Double) {
        guard claims["iss"] == .string(self.settings.issuer) else { throw TokenRefusal(.issuer) }
        let audiences = claims["aud"]?.array?.map(\.string) ?? [claims["aud"]?.string]
        guard audiences.contains(where: { $0.map(self.settings.audiences.contains) ?? false }) else {
            throw TokenRefusal(.audience)
        }
        guard let expiry = claims["exp"]?.number, abs(expiry) < 1e12 else { throw TokenRefusal(.claims) }
        guard now < expiry + self.skew else { throw TokenRefusal(.expired) }
        for name in ["nbf", "iat"] {
            guard let claim = claims[name] else { continue }
            guard let time = claim.number else { throw TokenRefusal(.claims) }
            guard time <= now + self.skew else { throw TokenRefusal(.notYetValid) }
        }
        guard let user = claims[self.settings.userClaim]?.string, Self.isUserID(user) else {
            throw TokenRefusal(.claims)
        }
        let client = claims["client_id"]?.string ?? claims["azp"]?.string
        guard client.map(Self.isUserID) ?? true else { throw TokenRefusal(.claims) }
        var caller = Caller(
            userID: UserID(user),
            clientID: client,
            scopes: Self.scopes(in: claims),
            isAgent: self.settings.isAgent(client, claims)
        )
        if let name = self.settings.authenticatedClaim { caller.isAuthenticated = claims[name]?.bool ?? false }
        if let name = self.settings.authorizationClaim {
            // A claim that is missing or unknown allows nothing.
            let text = claims[name]?.string ?? ""
            caller.authorization = (RequestingUser.Authorization(rawValue: text) ?? .notDetermined).rawValue
        }
        caller.expiresAt = Timestamp(milliseconds: Int64(expiry * 1_000))
        return (caller, expiry)
    }

    /// Whether a text can be an id on the log (R47b), and in a header.
    static func isUserID(_ text: String) -> Bool {
        1...GatewayRequest.maximumIDBytes ~= text.utf8.count && text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
    }

    /// The scopes in `scope` (RFC 9068) or `scp`; those that intentd does not define are ignored.
    private static func scopes(in claims: JSONObject) -> Set<Caller.Scope> {
        var scopes: Set<Caller.Scope> = []
        for claim in [claims["scope"], claims["scp"]] {
            let names =
                claim?.array?.compactMap(\.string) ?? claim?.string?.split(separator: " ").map(String.init) ?? []
            scopes.formUnion(names.compactMap(Caller.Scope.init(rawValue:)))
        }
        return scopes
    }
}
