import IntentEvents
import IntentKit
import LibCrypto
import LocalHTTP
import Synchronization
import Testing

@testable import IntentGateway

@Suite("R85a, R85c: Callers are those of verified tokens, and of nothing else", .timeLimit(.minutes(1)))
struct TokenVerifierTests {
    private let issuer = TestIssuer()

    private func refusal(_ token: String, by verifier: TokenVerifier? = nil) async -> TokenRefusal.Reason? {
        do throws(TokenRefusal) {
            _ = try await (verifier ?? self.issuer.makeVerifier()).caller(with: token)
            return nil
        } catch {
            return error.reason
        }
    }

    @Test("A token's claims make the caller")
    func makesCaller() async throws {
        let caller = try await self.issuer.makeVerifier().caller(with: self.issuer.token())
        #expect(caller.userID == "anna" && caller.clientID == "phone" && !caller.isAgent && caller.isAuthenticated)
        #expect(caller.scopes == [.ask, .read])
        #expect(caller.authorization == nil)
        #expect(caller.expiresAt == Timestamp(milliseconds: Int64(TestIssuer.now + 60) * 1_000))
        let list = self.issuer.token(changing: ["scope": nil, "scp": ["intents.answer", "intents.act-as"]])
        #expect(try await self.issuer.makeVerifier().caller(with: list).scopes == [.answer, .actAs])
    }

    @Test(
        "A token with wrong claims is refused",
        arguments: [
            ("iss", "https://other.example", .issuer), ("iss", nil, .issuer),
            ("iss", ["https://issuer.example"], .issuer),
            ("aud", "https://other.example", .audience), ("aud", nil, .audience), ("aud", [], .audience),
            ("aud", ["aud": "https://intents.example"], .audience),
            ("exp", nil, .claims), ("exp", "9999999999", .claims), ("exp", 1e300, .claims),
            ("exp", .integer(Int64(TestIssuer.now) - 31), .expired), ("exp", 0, .expired),
            ("nbf", .integer(Int64(TestIssuer.now) + 31), .notYetValid), ("nbf", "now", .claims),
            ("iat", .integer(Int64(TestIssuer.now) + 31), .notYetValid),
            ("sub", nil, .claims), ("sub", "", .claims), ("sub", 7, .claims), ("sub", "a\nb", .claims),
            ("sub", .string(String(repeating: "a", count: 1_025)), .claims), ("client_id", "a\u{0}b", .claims),
        ] as [(String, JSONValue?, TokenRefusal.Reason)]
    )
    func refusesWrongClaims(name: String, value: JSONValue?, reason: TokenRefusal.Reason) async {
        #expect(await self.refusal(self.issuer.token(changing: [name: value])) == reason)
    }

    @Test(
        "A clock that differs within the limit refuses no token",
        arguments: [("exp", -29), ("nbf", 29), ("iat", 30)]
    )
    func allowsClockSkew(name: String, seconds: Int64) async {
        let token = self.issuer.token(changing: [name: .integer(Int64(TestIssuer.now) + seconds)])
        #expect(await self.refusal(token) == nil)
    }

    @Test(
        "A header that chooses another algorithm, extension or kind of document is refused",
        arguments: [
            (["alg": "none"], .algorithm), (["alg": "HS256"], .algorithm), (["alg": "eddsa"], .algorithm),
            (["alg": nil], .algorithm), (["alg": "RS256"], .key), (["alg": "ES256"], .key),
            (["alg": "PS256"], .algorithm), (["crit": ["exp"]], .malformed), (["crit": []], .malformed),
            (["typ": "logout+jwt"], .malformed), (["typ": 1], .malformed), (["kid": 1], .malformed),
            (["kid": "second"], .key), (["kid": ""], .malformed),
        ] as [([String: JSONValue?], TokenRefusal.Reason)]
    )
    func refusesHeaders(changes: [String: JSONValue?], reason: TokenRefusal.Reason) async {
        var header = TestIssuer.header
        for (name, value) in changes { header[name] = value }
        #expect(await self.refusal(self.issuer.token(header: header)) == reason)
    }

    @Test("A key in the header is not used, whatever the header says")
    func ignoresKeysOfHeader() async {
        let foreign = Ed25519.PrivateKey()
        var header = TestIssuer.header
        header["jwk"] = TestIssuer.jwk(foreign, id: "first")
        header["jku"] = "https://other.example/keys"
        #expect(await self.refusal(self.issuer.token(header: header, key: foreign)) == .signature)
    }

    @Test("A token without a signature, or with that of another token, is refused")
    func refusesForgedTokens() async {
        let token = self.issuer.token()
        let parts = token.split(separator: ".").map(String.init)
        let other = self.issuer.token(changing: ["sub": "bob"]).split(separator: ".").map(String.init)
        #expect(await self.refusal("\(parts[0]).\(other[1]).\(parts[2])") == .signature)
        #expect(await self.refusal("\(parts[0]).\(parts[1]).") == .signature)
    }

    @Test(
        "What is not exactly a compact token is refused",
        arguments: ["", ".", "..", "a.b", "a.b.c.d", "e30.e30.e30", String(repeating: "a", count: 8_193)]
    )
    func refusesOtherTexts(text: String) async {
        #expect([.malformed, .algorithm].contains(await self.refusal(text)))
    }

    @Test("Base64 in another form, and members that occur twice, are refused")
    func refusesOtherForms() async {
        let token = self.issuer.token()
        let parts = token.split(separator: ".").map(String.init)
        for form in [
            token + "=", parts[0] + "=." + parts[1] + "." + parts[2], token + "\n", " " + token,
            token.replacing("-", with: "+").replacing("_", with: "/") + "/",
        ] { #expect(await self.refusal(form) == .malformed, "\(form)") }
        let header = JSONValue.object(TestIssuer.header).utf8
        let claims = String(decoding: JSONValue.object(TestIssuer.claims).utf8, as: UTF8.self)
        let twice = claims.dropLast() + #","sub":"bob"}"#
        #expect(await self.refusal(self.issuer.token(header: header, claims: Array(twice.utf8))) == .malformed)
        let twoAlgorithms = #"{"alg":"none","alg":"EdDSA","kid":"first"}"#
        #expect(
            await self.refusal(self.issuer.token(header: Array(twoAlgorithms.utf8), claims: Array(claims.utf8)))
                == .malformed
        )
        #expect(Base64URL.decode("AB".utf8) == nil && Base64URL.decode("AA".utf8) == [0])
    }

    @Test("A token that was accepted is refused once it has expired, and once its key is gone")
    func forgetsTokens() async throws {
        let time = Mutex(TestIssuer.now)
        let verifier = self.issuer.makeVerifier(now: { time.withLock(\.self) })
        let token = self.issuer.token()
        #expect(await self.refusal(token, by: verifier) == nil)
        self.issuer.publish(TestIssuer.document([TestIssuer.jwk(Ed25519.PrivateKey(), id: "first")]))
        await verifier.keys.refresh()
        #expect(await self.refusal(token, by: verifier) == .signature)
        self.issuer.publish(TestIssuer.document([TestIssuer.jwk(self.issuer.key, id: "first")]))
        await verifier.keys.refresh()
        #expect(await self.refusal(token, by: verifier) == nil)
        time.withLock { $0 += 91 }
        #expect(await self.refusal(token, by: verifier) == .expired)
    }

    @Test("Claims that the configuration names decide about sign-in, authorization, and agents")
    func readsConfiguredClaims() async throws {
        let verifier = self.issuer.makeVerifier {
            $0.userClaim = "uid"
            $0.authenticatedClaim = "mfa"
            $0.authorizationClaim = "app"
            $0.agents = ["robot", "actor=agent", "automated=true"]
        }
        func caller(_ changes: KeyValuePairs<String, JSONValue?>) async throws -> Caller {
            try await verifier.caller(with: self.issuer.token(changing: changes))
        }
        let plain = try await caller(["uid": "u"])
        #expect(
            plain.userID == "u" && !plain.isAuthenticated && plain.authorization == "notDetermined" && !plain.isAgent
        )
        let full = try await caller(["uid": "u", "mfa": true, "app": "authorized", "client_id": "robot"])
        #expect(full.isAuthenticated && full.authorization == "authorized" && full.isAgent)
        #expect(try await caller(["uid": "u", "mfa": "true"]).isAuthenticated == false)
        #expect(try await caller(["uid": "u", "actor": "agent"]).isAgent)
        #expect(try await caller(["uid": "u", "automated": true]).isAgent)
        #expect(try await !caller(["uid": "u", "actor": "human"]).isAgent)
        await #expect(throws: TokenRefusal(.claims)) { try await caller([:]) }
    }

    @Test("Only a service with the scope for it acts for another user, and names exactly one")
    func actsForUsers() async throws {
        let authenticator = Authenticator(self.issuer.makeVerifier())
        let service = self.issuer.token(changing: ["scope": "intents.ask intents.act-as", "sub": "backend"])
        func user(_ token: String, _ users: [String]) async -> String {
            let named = users.map { (name: "Intentd-User", value: $0) }
            var request = HTTPServerRequest()
            request.headers = HTTPServerHeaders([(name: "Authorization", value: "Bearer \(token)")] + named)
            do throws(TokenRefusal) {
                return try await authenticator.caller(of: request).userID.text
            } catch {
                return "refused: \(error.reason)"
            }
        }
        #expect(await user(service, ["j%C3%BCrgen"]) == "jürgen")
        #expect(await user(service, []) == "backend")
        #expect(await user(service, ["a", "b"]) == "refused: actAs")
        #expect(await user(service, [""]) == "refused: actAs")
        #expect(await user(service, ["%0A"]) == "refused: actAs")
        #expect(await user(self.issuer.token(), ["bob"]) == "refused: actAs")
        #expect(await user(self.issuer.token() + "x", ["bob"]).hasPrefix("refused"))
    }

    @Test("A request without a token, with two, or with another scheme is refused")
    func needsOneToken() async {
        let authenticator = Authenticator(self.issuer.makeVerifier())
        let token = self.issuer.token()
        func reason(_ values: [String]) async -> TokenRefusal.Reason? {
            var request = HTTPServerRequest()
            request.headers = HTTPServerHeaders(values.map { (name: "authorization", value: $0) })
            do throws(TokenRefusal) {
                _ = try await authenticator.caller(of: request)
                return nil
            } catch {
                return error.reason
            }
        }
        #expect(await reason(["bearer \(token)"]) == nil)
        #expect(await reason([]) == .missing)
        #expect(await reason(["Basic YTpi"]) == .missing)
        #expect(await reason(["Bearer"]) == .missing)
        #expect(await reason(["Bearer \(token)", "Bearer \(token)"]) == .malformed)
    }
}
