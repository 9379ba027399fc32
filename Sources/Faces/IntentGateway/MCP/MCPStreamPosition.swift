internal import Foundation
package import IntentEvents
package import IntentKit
internal import IntentRuntime

/// Where a stream of a session continues: an event id that every replica understands.
///
/// A stream holds nothing but what the interaction has asked and reported, so it is made again of the interaction.
package struct MCPStreamPosition: Hashable, Sendable {
    package var interaction: InteractionID
    /// The request whose response ends the stream.
    package var request: JSONRPCID
    /// The id of the last request for an elicitation that was sent; nil before the first.
    package var elicited: String?
    package var progressToken: JSONValue?

    package init(
        interaction: InteractionID,
        request: JSONRPCID,
        elicited: String? = nil,
        progressToken: JSONValue? = nil
    ) {
        self.interaction = interaction
        self.request = request
        self.elicited = elicited
        self.progressToken = progressToken
    }

    /// The event id: Base64 of JSON, so that it has no line breaks.
    package var text: String {
        let json = JSONValue.members([
            "i": self.interaction.json, "r": self.request.json, "e": self.elicited.map(JSONValue.string),
            "p": self.progressToken,
        ])
        return Data(json.utf8).base64EncodedString()
    }

    /// Reads an event id; nil for what is none.
    package init?(_ text: String) {
        guard text.utf8.count <= 8_192, let data = Data(base64Encoded: text),
            let json = try? JSONValue(parsing: Array(data), maximumDepth: 4), let interaction = json["i"]?.string,
            let id = json["r"], let request = try? JSONRPCID(id)
        else { return nil }
        self.init(
            interaction: InteractionID(interaction),
            request: request,
            elicited: json["e"]?.string,
            progressToken: json["p"]
        )
    }

    // MARK: The ids of requests for elicitations

    /// The prompt that a request asks about: the request's id without the number of a repetition.
    static func prompt(of request: String) -> String {
        guard let mark = request.utf8.lastIndex(of: UInt8(ascii: "#")),
            request.utf8.lastIndex(of: UInt8(ascii: "/")).map({ $0 < mark }) ?? false
        else { return request }
        return String(request[..<mark])
    }

    /// The id of the request that asks the same again, such as `i/r/1#2` after `i/r/1`.
    static func next(_ request: String) -> String {
        let prompt = Self.prompt(of: request)
        let number = request.dropFirst(prompt.count + 1)
        return "\(prompt)#\((Int(number) ?? 1) + 1)"
    }

    /// The interaction of a prompt.
    static func interaction(of prompt: String) -> InteractionID? { PromptID(prompt)?.interaction }
}
