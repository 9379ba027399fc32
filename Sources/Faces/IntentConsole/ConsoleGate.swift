internal import LocalHTTP

/// Decides which requests are admitted, before anything is looked up.
///
/// On loopback everybody on this machine is admitted, so the gate must protect the browser from being tricked. A page
/// of another site that resolves its own name to 127.0.0.1 sends its own name as `Host`, and is refused. On any other
/// address a token is needed once; the browser exchanges it for a cookie. A request that changes something must carry a
/// secret that only our own forms contain, and must come from our own pages according to the browser.
package struct ConsoleGate: Sendable {
    /// The name of the cookie.
    static let cookie = "intentd_console"

    /// The token that must be presented once; nil on loopback.
    let token: String?
    /// The session cookie of a signed-in browser.
    let session: String
    /// The secret in our own forms.
    package let formToken: String
    /// The names that are answered on loopback.
    private let hosts: HostNames

    /// Creates a gate with secrets of its own.
    ///
    /// - Parameters:
    ///   - token: The token that must be presented once; nil on loopback.
    ///   - host: The host that the server listens on.
    package init(token: String?, host: String) {
        self.token = token
        self.session = Self.makeSecret()
        self.formToken = Self.makeSecret()
        self.hosts = HostNames(listeningOn: host, includesAddresses: false)
    }

    /// 256 random bits, in hex.
    package static func makeSecret() -> String {
        var random = SystemRandomNumberGenerator()
        return (0..<32)
            .map { _ in
                let digits = String(UInt8.random(in: .min ... .max, using: &random), radix: 16)
                return digits.count == 1 ? "0" + digits : digits
            }
            .joined()
    }

    /// The response that refuses a request; nil for an admitted one.
    func refusal(_ request: HTTPServerRequest) -> HTTPServerResponse? {
        guard let host = request.host, self.token != nil || self.hosts.contains(host) else {
            return Self.refuse(421, "The host name is not accepted. Use http://127.0.0.1 and its port.")
        }
        if self.token != nil, request.path.first != "assets" {
            if request.path == ["sign-in"] { return self.signIn(request) }
            guard Self.same(request.cookies[Self.cookie] ?? "", self.session) else {
                return HTTPServerResponse(SignInPage.page(isWrong: false), status: 401)
            }
        }
        guard request.method == .post else { return nil }
        let isOurs =
            (request.fetchSite.map { $0 == "same-origin" } ?? true)
            && (request.origin.map { $0 == "http://\(host)" || $0 == "https://\(host)" } ?? true)
        guard isOurs, Self.same(request.form["form"] ?? "", self.formToken) else {
            return Self.refuse(
                403,
                "The form is not from this console, or the console was restarted. Go back and reload the page."
            )
        }
        return nil
    }

    private func signIn(_ request: HTTPServerRequest) -> HTTPServerResponse {
        guard let given = request.form["token"] ?? request.query["token"] else {
            return HTTPServerResponse(SignInPage.page(isWrong: false))
        }
        guard Self.same(given, self.token ?? "") else {
            return HTTPServerResponse(SignInPage.page(isWrong: true), status: 401)
        }
        var response = HTTPServerResponse.seeOther("/")
        response.headers.append(
            (name: "Set-Cookie", value: "\(Self.cookie)=\(self.session); Path=/; HttpOnly; SameSite=Strict")
        )
        return response
    }

    private static func refuse(_ status: Int, _ words: String) -> HTTPServerResponse {
        HTTPServerResponse(status: status, type: "text/plain; charset=utf-8", text: words + "\n")
    }

    /// Compares in constant time.
    private static func same(_ given: String, _ secret: String) -> Bool {
        let given = Array(given.utf8)
        let secret = Array(secret.utf8)
        guard given.count == secret.count, !secret.isEmpty else { return false }
        return zip(given, secret).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
