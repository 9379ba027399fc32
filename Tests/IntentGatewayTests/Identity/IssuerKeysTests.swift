import IntentKit
import IntentLab
import LibCrypto
import Testing

@testable import IntentGateway

@Suite("R85b: The issuer's keys are read again, and kept while they cannot be", .timeLimit(.minutes(1)))
struct IssuerKeysTests {
    private let issuer = TestIssuer()

    private func isAccepted(_ token: String, by verifier: TokenVerifier) async -> TokenRefusal.Reason? {
        do throws(TokenRefusal) {
            _ = try await verifier.caller(with: token)
            return nil
        } catch {
            return error.reason
        }
    }

    @Test("A token of a new key is accepted once the issuer publishes it; unknown keys cause a read every 10 s at most")
    func readsRotatedKeys() async {
        let verifier = self.issuer.makeVerifier()
        #expect(await self.isAccepted(self.issuer.token(), by: verifier) == nil)
        #expect(self.issuer.readCount == 1)
        let next = Ed25519.PrivateKey()
        var header = TestIssuer.header
        header["kid"] = "second"
        let token = self.issuer.token(header: header, key: next)
        for _ in 0..<100 { #expect(await self.isAccepted(token, by: verifier) == .key) }
        #expect(self.issuer.readCount == 1)
        self.issuer.publish(
            TestIssuer.document([TestIssuer.jwk(self.issuer.key, id: "first"), TestIssuer.jwk(next, id: "second")])
        )
        self.issuer.advance(.seconds(11))
        #expect(await self.isAccepted(token, by: verifier) == nil)
        #expect(await self.isAccepted(self.issuer.token(), by: verifier) == nil)
        #expect(self.issuer.readCount == 2)
    }

    @Test("Many requests with an unknown key wait for one read")
    func sharesReads() async {
        let verifier = self.issuer.makeVerifier()
        let token = self.issuer.token()
        await withTaskGroup(of: TokenRefusal.Reason?.self) { group in
            for _ in 0..<50 { group.addTask { await self.isAccepted(token, by: verifier) } }
            for await reason in group { #expect(reason == nil) }
        }
        #expect(self.issuer.readCount == 1)
    }

    @Test("Without any keys a token is 503, and the process is not ready, until the issuer answers")
    func waitsForFirstKeys() async {
        self.issuer.fail()
        let verifier = self.issuer.makeVerifier()
        #expect(verifier.keys.problem == "not read yet")
        #expect(await self.isAccepted(self.issuer.token(), by: verifier) == .noKeys)
        #expect(TokenRefusal(.noKeys).error.code == .unavailable)
        #expect(verifier.keys.problem == "no connection")
        self.issuer.publish(TestIssuer.document([TestIssuer.jwk(self.issuer.key, id: "first")]))
        self.issuer.advance(.seconds(11))
        #expect(await self.isAccepted(self.issuer.token(), by: verifier) == nil)
        #expect(verifier.keys.problem == nil)
    }

    @Test("Keys that were read stay while the issuer fails, or publishes what is no key document")
    func keepsKeys() async {
        let verifier = self.issuer.makeVerifier()
        let token = self.issuer.token()
        #expect(await self.isAccepted(token, by: verifier) == nil)
        self.issuer.fail()
        await verifier.keys.refresh()
        for document in ["gone", [:], ["keys": []], ["keys": [["kty": "oct", "k": "c2VjcmV0"]]]] as [JSONValue] {
            self.issuer.publish(document)
            await verifier.keys.refresh()
        }
        #expect(await self.isAccepted(self.issuer.token(changing: ["sub": "bob"]), by: verifier) == nil)
        #expect(await self.isAccepted(token, by: verifier) == nil)
        #expect(verifier.keys.problem == nil)
    }

    @Test("A service that starts before its issuer becomes ready within a second of it")
    func becomesReadySoon() async throws {
        self.issuer.fail()
        let keys = self.issuer.makeKeys()
        let running = Task { await keys.run() }
        try await eventually { self.issuer.readCount >= 2 }
        self.issuer.publish(TestIssuer.document([TestIssuer.jwk(self.issuer.key, id: nil)]))
        try await eventually { keys.problem == nil }
        running.cancel()
        await running.value
    }

    @Test(
        "Keys that are not for signatures of tokens are left out",
        arguments: [
            ["use": "enc"], ["key_ops": ["sign"]], ["alg": "RS256"], ["kty": "OKP", "crv": "X25519"], ["x": "AA"],
            ["kty": "EC", "crv": "P-384"], ["x": 1],
        ] as [JSONObject]
    )
    func leavesOtherKeysOut(change: JSONObject) throws {
        var key = try #require(TestIssuer.jwk(self.issuer.key, id: "a").object)
        #expect(JSONWebKeySet(parsing: TestIssuer.document([.object(key)]).utf8)?.count == 1)
        key.merge(change) { $1 }
        #expect(JSONWebKeySet(parsing: TestIssuer.document([.object(key)]).utf8) == nil)
    }
}
