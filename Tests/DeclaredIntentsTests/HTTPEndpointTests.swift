import IntentKit
import Testing

@testable import DeclaredIntents

@Suite("The HTTP endpoint of a declared intent")
struct HTTPEndpointTests {
    private static let headers: [String: HTTPHeaderValue] = [
        "Authorization": HTTPHeaderValue(source: .literal, value: "Bearer 1"),
        "cookie": HTTPHeaderValue(source: .literal, value: "a=b"),
        "X-API-Key": HTTPHeaderValue(source: .literal, value: "1"),
        "Shop-Token": HTTPHeaderValue(source: .environment("TOKEN"), value: "1"),
        "Shop-Secret": HTTPHeaderValue(source: .file("/secret"), value: "1"),
        "Accept-Language": HTTPHeaderValue(source: .literal, value: "en"),
    ]

    private static let origins = ["http", "https"]
        .flatMap { scheme in
            ["shop.example", "shop.example.evil.example", "127.0.0.1"]
                .flatMap { host in ["", ":80", ":443", ":8080"].map { "\(scheme)://\(host)\($0)" } }
        }

    @Test(
        "R61: credentials are sent only to the scheme, host and port that they were given for",
        arguments: origins
    )
    func keepsCredentialsToTheirOrigin(origin: String) {
        let endpoint = HTTPEndpoint(
            url: origin + "/orders",
            headers: Self.headers,
            timeout: .seconds(1),
            path: JSONPath()
        )
        for other in Self.origins {
            for path in ["/orders", "/elsewhere?x=1", ""] {
                let moved = endpoint.moved(to: other + path)
                #expect(moved.url == other + path)
                #expect(
                    moved.headers.keys.sorted() == (other == origin ? Self.headers.keys.sorted() : ["Accept-Language"]),
                    "\(other + path)"
                )
            }
        }
    }
}
