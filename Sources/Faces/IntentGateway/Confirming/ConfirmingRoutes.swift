internal import IntentEvents
internal import IntentKit
internal import IntentRuntime
internal import LibCrypto
internal import LocalHTTP

/// The routes of the page at which users answer for themselves (R89).
///
/// The user's own token comes in the header Authorization, from a proxy that signs users in, or is typed into the page
/// once and kept in a cookie that scripts and other sites cannot use. A form counts only if it comes from the page
/// itself: it holds a code of the token that another site cannot compute.
package struct ConfirmingRoutes: Sendable {
    private static let cookie = "intentd-confirm"
    /// How long the token stays in the cookie, in seconds.
    private static let cookieLife = 900

    private let desk: InteractionDesk
    private let authenticator: Authenticator
    /// The key of forms where there are no tokens.
    private let developmentKey: String

    package init(_ desk: InteractionDesk, authenticator: Authenticator) {
        self.desk = desk
        self.authenticator = authenticator
        self.developmentKey = "\(UInt64.random(in: .min ... .max))\(UInt64.random(in: .min ... .max))"
    }

    package var all: [GatewayRoute] {
        [
            GatewayRoute(.get, "/confirm/{id}", .open { await self.show($0) }),
            GatewayRoute(.post, "/confirm/{id}", .open { await self.receive($0) }),
        ]
    }

    /// The user who looks at the page.
    private struct Visitor {
        var caller: Caller
        /// The token, which is the key of the page's forms.
        var key: String
    }

    private func visitor(_ request: GatewayRequest, token typed: String? = nil) async -> Visitor? {
        let header = request.http.headers["Authorization"]
            .flatMap { $0.lowercased().hasPrefix("bearer ") ? String($0.dropFirst(7)) : nil }
        let token = typed ?? header ?? request.http.cookies[Self.cookie]
        guard let caller = try? await self.authenticator.caller(with: token) else { return nil }
        return Visitor(caller: caller, key: token ?? self.developmentKey)
    }

    private func show(_ request: GatewayRequest) async -> HTTPServerResponse {
        let page = ConfirmingPage(locale: request.locale)
        let words = ConfirmingWords.of(locale: request.locale)
        guard let visitor = await self.visitor(request) else { return self.response(401, page.signIn(nil)) }
        guard !visitor.caller.isAgent else { return self.response(403, page.message(words.agent)) }
        do throws(GatewayError) {
            let id = InteractionID(request[variable: "id"])
            let snapshot = try await self.desk.interaction(id, of: visitor.caller)
            return self.response(200, page.html(of: snapshot, secret: Self.secret(snapshot, visitor)))
        } catch {
            return self.response(
                error.code.status,
                page.message(error.code == .notFound ? words.notFound : error.detail)
            )
        }
    }

    /// The code that only the page of this user has: it depends on the token, the interaction, and the open prompt.
    private static func secret(_ snapshot: InteractionSnapshot, _ visitor: Visitor) -> String {
        let prompt = snapshot.prompt?["promptId"]?.string ?? ""
        let code = HMACSHA256.code(for: Array("confirm|\(snapshot.id)|\(prompt)".utf8), key: Array(visitor.key.utf8))
        return code.map { String(UInt16($0) + 256, radix: 16).dropFirst() }.joined()
    }

    private func receive(_ request: GatewayRequest) async -> HTTPServerResponse {
        let page = ConfirmingPage(locale: request.locale)
        let words = ConfirmingWords.of(locale: request.locale)
        guard Self.isOwn(request) else { return self.response(403, page.message(words.stale)) }
        if let token = request.http.form["token"] { return await self.signIn(request, token) }
        guard let visitor = await self.visitor(request) else { return self.response(401, page.signIn(nil)) }
        guard !visitor.caller.isAgent else { return self.response(403, page.message(words.agent)) }
        do throws(GatewayError) {
            let id = InteractionID(request[variable: "id"])
            let snapshot = try await self.desk.interaction(id, of: visitor.caller)
            guard let prompt = request.http.form["promptId"], prompt == snapshot.prompt?["promptId"]?.string,
                let secret = request.http.form["secret"], Self.areEqual(secret, Self.secret(snapshot, visitor)),
                let action = request.http.form["action"].flatMap(ConfirmingPage.Action.init(rawValue:))
            else { return self.response(409, page.message(words.stale)) }
            try await self.send(action, request.http.form, prompt, snapshot, visitor.caller)
            _ = try await self.desk.interaction(id, of: visitor.caller, after: snapshot.revision, within: 2)
            return HTTPServerResponse.seeOther(self.address(request))
        } catch {
            return self.response(
                error.code.status,
                page.message(error.code == .notFound ? words.notFound : error.detail)
            )
        }
    }

    private func send(
        _ action: ConfirmingPage.Action,
        _ form: Fields,
        _ prompt: String,
        _ snapshot: InteractionSnapshot,
        _ caller: Caller
    ) async throws(GatewayError) {
        switch action {
        case .unlock:
            let device = snapshot.device ?? DeviceID(MCPServer.device)
            try await self.desk.send(.deviceUnlocked, ["device": ["id": device.json]], to: nil, by: caller)
            return
        case .signIn:
            try await self.desk.send(.userAuthenticated, [:], to: nil, by: caller)
            return
        case .cancel where snapshot.state != .awaitingUser:
            try await self.desk.send(.interactionCancelled, [:], to: snapshot.id, by: caller)
            return
        case .accept, .decline, .cancel: break
        }
        var data: JSONObject = ["promptId": .string(prompt), "action": .string(action.rawValue)]
        if action == .accept {
            data["choice"] = form["choice"].flatMap { Int64($0) }.map(JSONValue.integer)
            if data["choice"] == nil, let value = form["value"], !value.isEmpty { data["value"] = .string(value) }
        }
        // A form that is sent twice is one answer.
        let digest = SHA256.digest(Array("\(JSONValue.object(data))".utf8))
        try await self.desk.send(
            .promptAnswered,
            data,
            to: snapshot.id,
            eventID: "confirm-\(digest.hex(16))",
            by: caller
        )
    }

    /// Keeps a valid token of a user in the cookie.
    private func signIn(_ request: GatewayRequest, _ token: String) async -> HTTPServerResponse {
        let page = ConfirmingPage(locale: request.locale)
        let words = ConfirmingWords.of(locale: request.locale)
        let isToken = token.utf8.count <= 8_192 && token.utf8.allSatisfy { Self.isTokenByte($0) }
        guard isToken, let visitor = await self.visitor(request, token: token) else {
            return self.response(401, page.signIn(words.signIn))
        }
        guard !visitor.caller.isAgent else { return self.response(403, page.message(words.agent)) }
        var response = HTTPServerResponse.seeOther(self.address(request))
        let secure = request.baseURL.hasPrefix("https:") ? "; Secure" : ""
        response.headers.append(
            (
                name: "Set-Cookie",
                value: "\(Self.cookie)=\(token); Path=/confirm; HttpOnly; SameSite=Strict; Max-Age=\(Self.cookieLife)"
                    + secure
            )
        )
        return response
    }

    private static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
            true
        default: false
        }
    }

    /// Whether a form comes from a page of the gateway, or from no browser.
    private static func isOwn(_ request: GatewayRequest) -> Bool {
        if let site = request.http.fetchSite, site != "same-origin" { return false }
        guard let origin = request.http.origin else { return true }
        let host = request.http.host ?? ""
        return origin == request.baseURL || origin == "http://\(host)" || origin == "https://\(host)"
    }

    /// Compares in a time that does not depend on where texts differ.
    private static func areEqual(_ one: String, _ other: String) -> Bool {
        let (one, other) = (Array(one.utf8), Array(other.utf8))
        return one.count == other.count && zip(one, other).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }

    private func address(_ request: GatewayRequest) -> String {
        ConfirmingRule(registry: .empty, publicURL: request.baseURL).page(of: InteractionID(request[variable: "id"]))
    }

    private func response(_ status: Int, _ html: HTML) -> HTTPServerResponse {
        var response = HTTPServerResponse(status: status, type: "text/html; charset=utf-8", text: html.text)
        response.headers += [
            (name: "Content-Security-Policy", value: ConfirmingPage.policy), (name: "X-Frame-Options", value: "DENY"),
            (name: "Referrer-Policy", value: "no-referrer"),
        ]
        return response
    }
}
