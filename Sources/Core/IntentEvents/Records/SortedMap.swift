/// A few values by name, in the order of their names.
///
/// It is used like a dictionary. A turn reads and writes a handful of entries: a sorted array is faster to make, search
/// and pass on than a hash table, and the journal needs them in order anyway.
public struct SortedMap<Key: Comparable, Value> {
    public typealias Element = (key: Key, value: Value)

    @usableFromInline var entries: [Element] = []

    @inlinable public init() {}

    /// Makes a map from entries in any order; of two with one key the last counts.
    @inlinable public init(_ entries: some Sequence<Element>) { for (key, value) in entries { self[key] = value } }

    @inlinable func search(for key: Key) -> (index: Int, isFound: Bool) {
        guard !self.entries.isEmpty else { return (0, false) }
        var low = 0
        var high = self.entries.count - 1
        // Entries usually come in order. By index: `last` would copy the value too.
        if self.entries[high].key < key { return (high + 1, false) }
        while low < high {
            let middle = (low + high) / 2
            if self.entries[middle].key < key { low = middle + 1 } else { high = middle }
        }
        return (low, self.entries[low].key == key)
    }

    /// The value of a key; nil when there is none, and removes it when set to nil.
    @inlinable public subscript(_ key: Key) -> Value? {
        get {
            let (index, isFound) = self.search(for: key)
            return isFound ? self.entries[index].value : nil
        }
        set {
            let (index, isFound) = self.search(for: key)
            switch (isFound, newValue) {
            case (true, let value?): self.entries[index].value = value
            case (false, let value?):
                // Usually a few are added together.
                if self.entries.isEmpty { self.entries.reserveCapacity(4) }
                self.entries.insert((key, value), at: index)
            case (true, nil): self.entries.remove(at: index)
            case (false, nil): break
            }
        }
    }

    /// The keys, in order.
    @inlinable public var keys: some RandomAccessCollection<Key> { self.entries.lazy.map(\.key) }

    /// The values, in the order of their keys.
    @inlinable public var values: some RandomAccessCollection<Value> { self.entries.lazy.map(\.value) }

    /// Adds another map's entries; they replace its own.
    @inlinable public mutating func merge(_ other: SortedMap) {
        if self.entries.isEmpty {
            self = other
        } else {
            for (key, value) in other.entries { self[key] = value }
        }
    }

    @inlinable public func filter(_ stays: (Element) throws -> Bool) rethrows -> SortedMap {
        var map = SortedMap()
        map.entries = try self.entries.filter(stays)
        return map
    }
}

extension SortedMap: RandomAccessCollection {
    @inlinable public var startIndex: Int { 0 }

    @inlinable public var endIndex: Int { self.entries.count }

    @inlinable public subscript(_ position: Int) -> Element { self.entries[position] }
}

extension SortedMap: ExpressibleByDictionaryLiteral {
    /// Makes a map; of two equal keys the last one counts.
    @inlinable public init(dictionaryLiteral elements: (Key, Value)...) {
        self.init(elements.lazy.map { (key: $0.0, value: $0.1) })
    }
}

extension SortedMap: Sendable where Key: Sendable, Value: Sendable {}

extension SortedMap: Equatable where Value: Equatable {
    /// Whether two maps have the same entries.
    @inlinable public static func == (lhs: Self, rhs: Self) -> Bool { lhs.entries.elementsEqual(rhs.entries, by: ==) }
}

extension SortedMap: Hashable where Key: Hashable, Value: Hashable {
    @inlinable public func hash(into hasher: inout Hasher) {
        hasher.combine(self.entries.count)
        for (key, value) in self.entries {
            hasher.combine(key)
            hasher.combine(value)
        }
    }
}
