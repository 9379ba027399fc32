package import IntentKit
package import LocalHTTP

extension HTTPServerResponse {
    private static let html = "text/html; charset=utf-8"

    package init(_ page: HTML, status: Int = 200) { self.init(status: status, type: Self.html, text: page.text) }

    /// A page whose rest is read from a topic: its beginning is sent at once.
    ///
    /// It says that the topic is being read until the rest follows, or the reason why it cannot be read.
    package init(_ beginning: HTML, rest: @escaping @Sendable () async throws -> HTML) {
        let reading: HTML = "<p class=\"soft waiting\">Reading the topic…</p>"
        self.init(type: Self.html, beginning: (beginning + reading).text) {
            do { return try await rest().text } catch { return Frame.unreadable(error).text }
        }
    }
}
