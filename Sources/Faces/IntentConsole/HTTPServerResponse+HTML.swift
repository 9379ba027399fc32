package import IntentKit
package import LocalHTTP

extension HTTPServerResponse {
    private static let html = "text/html; charset=utf-8"

    package init(_ page: HTML, status: Int = 200) { self.init(status: status, type: Self.html, text: page.text) }

    /// A page whose rest takes longer: its beginning is sent at once.
    package init(_ beginning: HTML, rest: @escaping @Sendable () async -> HTML) {
        self.init(type: Self.html, beginning: beginning.text) { await rest().text }
    }
}
