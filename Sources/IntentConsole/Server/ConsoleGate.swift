/// Who may come in: decided before anything is looked up.
///
/// On loopback anybody on this machine may look, so the browser is what has to be kept from being tricked: a page of
/// another site that resolves its own name to 127.0.0.1 sends its own name as `Host`, and is refused. Everywhere else a
/// token is needed, once; the cookie that it is changed for is the browser's alone. What changes something carries a
/// secret that only our own pages hold, and comes from our own pages by the browser's word.
package struct ConsoleGate: Sendable {
    /// The name of the cookie.
    static let cookie = "intentd_console"

    /// What has to be shown once; nil on loopback.
    let token: String?
    /// What a signed-in browser shows.
    let session: String
    /// What our own forms hold.
    package let formToken: String
    /// The hosts that may be named.
    let hosts: Set<String>

    /// Makes a gate with secrets of its own.
    ///
    /// - Parameters:
    ///   - token: What has to be shown once; nil on loopback.
    ///   - host: The host that is listened on.
    package init(token: String?, host: String) {
        self.token = token
        self.session = Self.makeSecret()
        self.formToken = Self.makeSecret()
        self.hosts = ["localhost", "127.0.0.1", "[::1]", host.contains(":") ? "[\(host)]" : host]
    }

    /// 256 bits that nobody can guess, in hex.
    package static func makeSecret() -> String {
        var random = SystemRandomNumberGenerator()
        return (0..<32)
            .map { _ in
                let digits = String(UInt8.random(in: .min ... .max, using: &random), radix: 16)
                return digits.count == 1 ? "0" + digits : digits
            }
            .joined()
    }

    /// The answer to whoever may not come in; nil for those who may.
    func refusal(_ request: ConsoleRequest) -> ConsoleResponse? {
        guard let host = request.host, self.token != nil || self.hosts.contains(Self.name(host)) else {
            return Self.refuse(421, "This console is not served under that name. Use http://127.0.0.1 and its port.")
        }
        if self.token != nil, request.path.first != "assets" {
            if request.path == ["sign-in"] { return self.signIn(request) }
            guard Self.same(request.cookies[Self.cookie] ?? "", self.session) else {
                return ConsoleResponse(SignInPage.page(isWrong: false), status: 401)
            }
        }
        guard request.method == .post else { return nil }
        let isOurs =
            (request.fetchSite.map { $0 == "same-origin" } ?? true)
            && (request.origin.map { $0 == "http://\(host)" || $0 == "https://\(host)" } ?? true)
        guard isOurs, Self.same(request.form["form"] ?? "", self.formToken) else {
            return Self.refuse(
                403,
                "This form is not from a page of this console, or the console was started anew: go back and reload."
            )
        }
        return nil
    }

    private func signIn(_ request: ConsoleRequest) -> ConsoleResponse {
        guard let given = request.form["token"] ?? request.query["token"] else {
            return ConsoleResponse(SignInPage.page(isWrong: false))
        }
        guard Self.same(given, self.token ?? "") else {
            return ConsoleResponse(SignInPage.page(isWrong: true), status: 401)
        }
        var response = ConsoleResponse.seeOther("/")
        response.headers.append(
            (name: "Set-Cookie", value: "\(Self.cookie)=\(self.session); Path=/; HttpOnly; SameSite=Strict")
        )
        return response
    }

    private static func refuse(_ status: Int, _ words: String) -> ConsoleResponse {
        ConsoleResponse(status: status, type: "text/plain; charset=utf-8", text: words + "\n")
    }

    /// The host without its port, in lower case.
    private static func name(_ host: String) -> String {
        if host.hasPrefix("[") { return String(host.prefix { $0 != "]" }) + "]" }
        return String(host.prefix { $0 != ":" }).lowercased()
    }

    /// Compares in a time that does not say how much is right.
    private static func same(_ given: String, _ secret: String) -> Bool {
        let given = Array(given.utf8)
        let secret = Array(secret.utf8)
        guard given.count == secret.count, !secret.isEmpty else { return false }
        return zip(given, secret).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
