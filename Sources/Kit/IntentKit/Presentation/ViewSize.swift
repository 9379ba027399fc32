/// A size in points.
public struct ViewSize: Hashable, Sendable {
    /// Nothing is drawn at this size (behaviour 90).
    public static let zero = ViewSize(width: 0, height: 0)
    /// The limit for a client's size, in either direction.
    package static let limit = 10_000

    /// The width in points.
    public var width: Int
    /// The height in points.
    public var height: Int

    /// Makes a size; negative numbers count as 0.
    public init(width: Int, height: Int) {
        self.width = max(0, width)
        self.height = max(0, height)
    }

    /// Whether there is nothing to draw.
    public var isEmpty: Bool { self.width == 0 || self.height == 0 }

    public func limited(to maximum: ViewSize) -> ViewSize {
        ViewSize(width: min(self.width, maximum.width), height: min(self.height, maximum.height))
    }

    /// The wire form.
    package var json: JSONValue { ["width": .integer(Int64(self.width)), "height": .integer(Int64(self.height))] }

    /// Reads the wire form; nil when a member is missing, negative or above the limit.
    package init?(json: JSONValue) {
        guard let width = json["width"]?.integer, let height = json["height"]?.integer,
            (0...Int64(Self.limit)).contains(width), (0...Int64(Self.limit)).contains(height)
        else { return nil }
        self.init(width: Int(width), height: Int(height))
    }
}
