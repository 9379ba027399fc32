import Foundation
import IntentKit

/// Where an intent that is handled by HTTP is posted to, and what the answers mean (SPEC R51).
struct HTTPHandling: Hashable, Sendable {
    /// The address, `http` or `https`.
    var url: String
    /// Headers to send along.
    var headers: [String: String]
    /// How long one try may take.
    var timeout: TimeSpan?
    /// How often it is tried.
    var attempts: Int?
    /// Response codes by status: `404`, or `4xx` for all that begin alike.
    var codes: [String: String]

    /// Reads the settings.
    static func read(_ json: JSONValue, at path: JSONPath) -> Result<HTTPHandling, InvalidDefinition> {
        var reader = MemberReader(json, at: path, what: "handling by http")
        let url = reader.string("url")
        if let url {
            let parts = URLComponents(string: url)
            if parts?.scheme != "http" && parts?.scheme != "https" || (parts?.host ?? "").isEmpty {
                reader.report("\(url) is not an address that starts with http:// or https://", "url")
            }
        } else if reader.value("url") == nil {
            reader.report("an address is required", "url")
        }
        let headers = reader.texts("headers")
        let timeout = reader.value("timeout").map(TimeSpan.init(json:))
        if let timeout, (timeout?.seconds ?? 0) <= 0 {
            reader.report("a length of time is expected, such as PT10S", "timeout")
        }
        let attempts = reader.value("attempts")?.integer.map(Int.init)
        if reader.value("attempts") != nil, !(1...10).contains(attempts ?? 0) {
            reader.report("a number from 1 to 10 is expected", "attempts")
        }
        let codes = reader.texts("codes")
        for (status, code) in codes.sorted(by: { $0.key < $1.key }) {
            let place = path.appending("codes").appending(status)
            if !Self.isStatus(status) { reader.report("\(status) is not a status such as 404 or 4xx", at: place) }
            if !IntentDefinition.codes.contains(code) {
                let known = IntentDefinition.codes.sorted().joined(separator: ", ")
                reader.report("\(code) is not one of \(known)", at: place)
            }
        }
        reader.finish()
        guard let url, reader.problems.isEmpty else {
            return .failure(InvalidDefinition(problems: reader.problems))
        }
        return .success(
            HTTPHandling(url: url, headers: headers, timeout: timeout ?? nil, attempts: attempts, codes: codes)
        )
    }

    private static func isStatus(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        guard bytes.count == 3, (UInt8(ascii: "1")...UInt8(ascii: "5")).contains(bytes[0]) else { return false }
        return text.hasSuffix("xx") || Int(text) != nil
    }
}
