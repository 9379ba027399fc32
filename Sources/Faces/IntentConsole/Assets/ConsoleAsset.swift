internal import IntentKit
internal import IntentRuntime
internal import LocalHTTP

/// The files that pages load: one stylesheet, one script, one icon, all from this server.
enum ConsoleAsset: String, CaseIterable {
    case stylesheet = "console.css"
    /// The script that updates pages.
    case script = "console.js"
    case icon = "icon.svg"

    private static let stylesheetText = String(decoding: PackageResources.console_css, as: UTF8.self)
    private static let scriptText = String(decoding: PackageResources.console_js, as: UTF8.self)
    private static let version = String(RecordDigest.of(Array((Self.stylesheetText + Self.scriptText).utf8)).prefix(12))

    /// The path; it contains the version, so a browser may cache the file.
    var path: String { "/assets/\(Self.version)/\(self.rawValue)" }

    init?(path: [String]) {
        guard path.count == 3, path[0] == "assets", path[1] == Self.version else { return nil }
        self.init(rawValue: path[2])
    }

    var response: HTTPServerResponse {
        var response: HTTPServerResponse
        switch self {
        case .stylesheet: response = HTTPServerResponse(type: "text/css; charset=utf-8", text: Self.stylesheetText)
        case .script: response = HTTPServerResponse(type: "text/javascript; charset=utf-8", text: Self.scriptText)
        case .icon: response = HTTPServerResponse(type: "image/svg+xml", text: Shapes.icon.text)
        }
        response.headers.append((name: "Cache-Control", value: "private, max-age=31536000, immutable"))
        return response
    }
}
