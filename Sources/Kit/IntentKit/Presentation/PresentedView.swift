/// A view that a presenter has drawn.
public struct PresentedView: Hashable, Sendable {
    /// What a view shows by itself, so that the client need not (SiriKit's `INUIHostedViewSiriProviding`).
    public enum Content: String, Sendable, CaseIterable {
        case message
        case map
        case payment
    }

    public var html: HTML
    /// The desired size; a wish (behaviour 90).
    public var desiredSize: ViewSize
    /// What it shows by itself (behaviour 89).
    public var displays: Set<Content>

    public init(html: HTML, desiredSize: ViewSize, displays: Set<Content> = []) {
        self.html = html
        self.desiredSize = desiredSize
        self.displays = displays
    }

    /// The wire form for that place; nil where nothing is drawn (R38).
    package func json(in presentation: Presentation) -> JSONValue? {
        let size = self.desiredSize.limited(to: presentation.maximumSize)
        guard !size.isEmpty else { return nil }
        return [
            "context": .string(presentation.context.rawValue),
            "html": .string(self.html.text),
            "desiredSize": size.json,
            "displays": .array(self.displays.map(\.rawValue).sorted().map(JSONValue.string)),
        ]
    }
}
