import LocalHTTP
import Testing

@testable import IntentConsole

@Suite("Access to the console")
struct ConsoleGateTests {
    private static func get(_ path: [String] = [], host: String? = "127.0.0.1:9465") -> HTTPServerRequest {
        HTTPServerRequest(.get, path, host: host)
    }

    @Test(
        "On loopback only its own host names are accepted, against DNS rebinding",
        arguments: [
            ("127.0.0.1:9465", true), ("localhost", true), ("LOCALHOST:1", true), ("[::1]:9465", true),
            ("evil.example", false), ("127.0.0.1.evil.example:9465", false), ("localhost.evil.example", false),
            ("[::2]:9465", false), ("", false),
        ]
    )
    func loopbackAcceptsOwnNamesOnly(host: String, isLetIn: Bool) {
        let gate = ConsoleGate(token: nil, host: "127.0.0.1")
        #expect((gate.refusal(Self.get(host: host)) == nil) == isLetIn)
    }

    @Test("A request without a host is refused")
    func refusesRequestWithoutHost() {
        #expect(ConsoleGate(token: nil, host: "127.0.0.1").refusal(Self.get(host: nil))?.status == 421)
        #expect(ConsoleGate(token: "t", host: "0.0.0.0").refusal(Self.get(host: nil))?.status == 421)
    }

    @Test("Elsewhere nothing is shown without the token, which is presented once")
    func tokenIsNeededElsewhere() throws {
        let gate = ConsoleGate(token: "right-token", host: "0.0.0.0")
        #expect(gate.refusal(Self.get(["interactions"], host: "console.example"))?.status == 401)
        var wrong = Self.get(["sign-in"])
        wrong.query = Fields([("token", "wrong-token")])
        #expect(gate.refusal(wrong)?.status == 401)
        #expect(gate.refusal(wrong)?.headers.isEmpty == true)
        var right = Self.get(["sign-in"])
        right.query = Fields([("token", "right-token")])
        let welcome = try #require(gate.refusal(right))
        #expect(welcome.status == 303)
        let cookie = try #require(welcome.headers.first { $0.name == "Set-Cookie" }?.value)
        #expect(cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict") && !cookie.contains("right-token"))
        var signedIn = Self.get(["interactions"], host: "console.example")
        signedIn.cookies = HTTPServerRequest.cookies(String(cookie.prefix { $0 != ";" }))
        #expect(gate.refusal(signedIn) == nil)
        signedIn.cookies[ConsoleGate.cookie] = String(gate.session.dropLast()) + "x"
        #expect(gate.refusal(signedIn)?.status == 401)
    }

    @Test("Forms are accepted from the console's own pages only")
    func acceptsFormsOfOwnPagesOnly() {
        let gate = ConsoleGate(token: nil, host: "127.0.0.1")
        func post(_ form: Fields, origin: String? = nil, site: String? = nil) -> Int? {
            var request = HTTPServerRequest(.post, ["audit"], form: form, host: "127.0.0.1:9465")
            request.origin = origin
            request.fetchSite = site
            return gate.refusal(request)?.status
        }
        let ours = Fields([("form", gate.formToken)])
        #expect(post(ours) == nil)
        #expect(post(ours, origin: "http://127.0.0.1:9465", site: "same-origin") == nil)
        #expect(post(Fields()) == 403)
        #expect(post(Fields([("form", "guess")])) == 403)
        #expect(post(Fields([("form", ConsoleGate(token: nil, host: "127.0.0.1").formToken)])) == 403)
        #expect(post(ours, origin: "https://127.0.0.1:9465") == nil)
        for origin in [
            "http://evil.example", "null", "", "127.0.0.1:9465", "http://127.0.0.1:9465.evil.example",
            "https://127.0.0.1:9465.evil.example", "http://127.0.0.1:94650", "http://127.0.0.1:946", "http://127.0.0.1",
            "http://127.0.0.1:9465/", "http://evil.example/http://127.0.0.1:9465", "ftp://127.0.0.1:9465",
            "http://localhost:9465",
        ] {
            #expect(post(ours, origin: origin) == 403, "\(origin)")
        }
        #expect(post(ours, site: "cross-site") == 403)
        #expect(post(ours, site: "same-site") == 403)
    }

    @Test("Secrets are long and never the same")
    func secretsAreLongAndUnique() {
        let secrets = (0..<100).map { _ in ConsoleGate.makeSecret() }
        #expect(Set(secrets).count == 100)
        #expect(secrets.allSatisfy { $0.utf8.count == 64 })
    }

    @Test("The cookie is found among those of other programs on the same host")
    func cookies() {
        let header = "theme=dark; \(ConsoleGate.cookie)=a=b;lang=en; none"
        #expect(HTTPServerRequest.cookies(header) == ["theme": "dark", ConsoleGate.cookie: "a=b", "lang": "en"])
        let gate = ConsoleGate(token: "t", host: "0.0.0.0")
        var request = Self.get(["interactions"])
        request.cookies = HTTPServerRequest.cookies("theme=dark; \(ConsoleGate.cookie)=\(gate.session); lang=en")
        #expect(gate.refusal(request) == nil)
    }
}
