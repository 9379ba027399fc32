/// The range of a parameter's values: it includes its ends, or is open on one side.
public protocol ParameterBounds<Bound> {
    associatedtype Bound: Comparable

    /// The minimum; nil without a lower bound.
    var least: Bound? { get }
    /// The maximum; nil without an upper bound.
    var most: Bound? { get }
}

extension ParameterBounds {
    /// Which bound a value breaks, if any.
    func refusal(of value: Bound) -> DeclaredUnsupportedReason? {
        if let least = self.least, value < least { return .belowMinimum }
        if let most = self.most, value > most { return .aboveMaximum }
        return nil
    }
}

extension ClosedRange: ParameterBounds {
    public var least: Bound? { self.lowerBound }
    public var most: Bound? { self.upperBound }
}

extension PartialRangeFrom: ParameterBounds {
    public var least: Bound? { self.lowerBound }
    public var most: Bound? { nil }
}

extension PartialRangeThrough: ParameterBounds {
    public var least: Bound? { nil }
    public var most: Bound? { self.upperBound }
}
