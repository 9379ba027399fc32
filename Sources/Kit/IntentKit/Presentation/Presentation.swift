/// Where a view is shown, and how large it may be, as the client says in its request (R38).
public struct Presentation: Hashable, Sendable {
    /// Where a view is shown (SiriKit's `INUIHostedViewContext`).
    public enum Context: String, Sendable, CaseIterable {
        /// Within the text of a conversation.
        case snippet
        /// On a map.
        case card
    }

    /// Where it is shown.
    public var context: Context
    public var maximumSize: ViewSize

    /// Describes where a view is shown; by default a snippet on a phone.
    public init(context: Context = .snippet, maximumSize: ViewSize = ViewSize(width: 320, height: 480)) {
        self.context = context
        self.maximumSize = maximumSize
    }

    /// The wire form.
    package var json: JSONValue {
        ["context": .string(self.context.rawValue), "maximumSize": self.maximumSize.json]
    }

    /// Reads the wire form; missing members have their defaults, wrong ones make it nil.
    package init?(json: JSONValue) {
        self.init()
        guard json.object != nil else { return nil }
        if let context = json["context"], !context.isNull {
            guard let known = context.string.flatMap(Context.init(rawValue:)) else { return nil }
            self.context = known
        }
        if let size = json["maximumSize"], !size.isNull {
            guard let known = ViewSize(json: size) else { return nil }
            self.maximumSize = known
        }
    }
}
