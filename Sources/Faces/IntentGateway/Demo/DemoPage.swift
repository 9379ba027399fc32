internal import LocalHTTP

/// The demo page: a chat with the gateway that serves it, for `demo` and `up --demo-user`.
///
/// It is a client like any other: it uses the module of `clients/typescript`, and has no rights of its own.
package struct DemoPage: Sendable {
    /// What the page may load: its own files, and what a handler has drawn, in a frame that runs no script.
    private static let policy = """
        default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'unsafe-inline'; img-src https: data:; \
        frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'
        """

    package init() {}

    package var all: [GatewayRoute] {
        [
            Self.route("/demo", type: "text/html; charset=utf-8", PackageResources.demo_html),
            Self.route("/demo/demo.js", type: "text/javascript; charset=utf-8", PackageResources.demo_js),
            Self.route("/demo/intentd.js", type: "text/javascript; charset=utf-8", PackageResources.intentd_js),
        ]
    }

    private static func route(_ path: String, type: String, _ content: [UInt8]) -> GatewayRoute {
        let text = String(decoding: content, as: UTF8.self)
        return GatewayRoute(
            .get,
            path,
            .open { _ in
                var response = HTTPServerResponse(type: type, text: text)
                response.headers.append((name: "Content-Security-Policy", value: Self.policy))
                return response
            }
        )
    }
}
