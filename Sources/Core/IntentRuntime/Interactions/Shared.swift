/// A value behind one reference, which copies share until one of them is changed.
///
/// For values of many parts that are passed on often: each copy of the value itself would count a reference for each of
/// its parts.
struct Shared<Value> {
    /// Unchecked exclusivity: only ``Shared`` reads and changes the value, through accessors of its own, for which the
    /// compiler checks exclusive access to the structure.
    private final class Box {
        @exclusivity(unchecked) var value: Value

        init(_ value: Value) { self.value = value }
    }

    private var box: Box

    init(_ value: Value) { self.box = Box(value) }

    var value: Value {
        @inline(__always) _read { yield self.box.value }
        @inline(__always) _modify {
            if !isKnownUniquelyReferenced(&self.box) { self.box = Box(self.box.value) }
            yield &self.box.value
        }
    }
}

/// A value is changed only while no other copy has a reference to its box, so two threads never share one that changes.
extension Shared: @unchecked Sendable where Value: Sendable {}

extension Shared: Equatable where Value: Equatable {
    static func == (lhs: Self, rhs: Self) -> Bool { lhs.box === rhs.box || lhs.value == rhs.value }
}

extension Shared: Hashable where Value: Hashable {
    func hash(into hasher: inout Hasher) { hasher.combine(self.value) }
}
