/// The members of a JSON object, in the order of the canonical text: sorted by the UTF-8 of their names (R11).
///
/// It is used like a dictionary. Most objects have a few members: a sorted array is faster to search, copy, compare and
/// write than a hash table. Names are the same only if their bytes are.
public struct JSONObject: Hashable, Sendable {
    /// A member: its name and its value.
    public typealias Element = (key: String, value: JSONValue)

    private(set) var members: [Element]

    public init() { self.members = [] }

    /// Makes an object from members in any order; of two with one name the last counts.
    public init(_ members: [Element]) {
        self.members = members
        for index in members.indices.dropFirst()
        where !TextBytes.areInOrder(members[index - 1].key, members[index].key) {
            self.sort()
            return
        }
    }

    /// Makes an object from members that are already in ascending order of their names' bytes.
    init(inOrder members: [Element]) { self.members = members }

    public init(_ members: [String: JSONValue]) {
        self.init(members.map { (key: $0.key, value: $0.value) })
    }

    /// Sorts the members; of those with one name the last stays.
    private mutating func sort() {
        if self.members.count <= 16 { self.sortFew() } else { self.sortMany() }
    }

    /// Sorts a few members by insertion.
    private mutating func sortFew() {
        var count = 1
        for index in self.members.indices.dropFirst() {
            let key = self.members[index].key
            var target = count
            while target > 0, TextBytes.areInOrder(key, self.members[target - 1].key) { target -= 1 }
            if target > 0, TextBytes.areEqual(self.members[target - 1].key, key) {
                self.members.swapAt(target - 1, index)
                continue
            }
            if count < index { self.members.swapAt(count, index) }
            var hole = count
            while hole > target {
                self.members.swapAt(hole - 1, hole)
                hole -= 1
            }
            count += 1
        }
        self.members.removeSubrange(count...)
    }

    private mutating func sortMany() {
        let sorted = self.members.enumerated()
            .sorted { one, other in
                if TextBytes.areInOrder(one.element.key, other.element.key) { return true }
                return TextBytes.areEqual(one.element.key, other.element.key) && one.offset < other.offset
            }
        var members: [Element] = []
        members.reserveCapacity(sorted.count)
        for (_, member) in sorted {
            if let last = members.last, TextBytes.areEqual(last.key, member.key) {
                members[members.count - 1] = member
            } else {
                members.append(member)
            }
        }
        self.members = members
    }

    // MARK: Members by name

    private enum SearchResult {
        /// The member is at that index.
        case found(Int)
        /// There is none; it would be inserted at that index.
        case missing(Int)
    }

    private func search(for key: String) -> SearchResult {
        guard let last = self.members.last else { return .missing(0) }
        // Members are mostly added in order.
        if TextBytes.areInOrder(last.key, key) { return .missing(self.members.count) }
        var low = 0
        var high = self.members.count
        while low < high {
            let middle = (low + high) / 2
            if TextBytes.areInOrder(self.members[middle].key, key) { low = middle + 1 } else { high = middle }
        }
        // The index is valid: the last name is not before this one.
        return TextBytes.areEqual(self.members[low].key, key) ? .found(low) : .missing(low)
    }

    private func index(of key: String) -> Int? {
        // Comparing a few lengths is cheaper than comparing texts in order.
        if self.members.count <= 16 {
            // By index: a closure would get a copy of each member.
            for index in self.members.indices where TextBytes.areEqual(self.members[index].key, key) { return index }
            return nil
        }
        guard case .found(let index) = self.search(for: key) else { return nil }
        return index
    }

    /// The value of that name; nil when there is none, and removes it when set to nil.
    public subscript(_ key: String) -> JSONValue? {
        get { self.index(of: key).map { self.members[$0].value } }
        set {
            switch (self.search(for: key), newValue) {
            case (.found(let index), let value?): self.members[index].value = value
            case (.missing(let index), let value?):
                // Usually a few are added together.
                if self.members.isEmpty { self.members.reserveCapacity(4) }
                self.members.insert((key, value), at: index)
            case (.found(let index), nil): self.members.remove(at: index)
            case (.missing, nil): break
            }
        }
    }

    /// The value of that name, or the one given when there is none.
    public subscript(_ key: String, default value: @autoclosure () -> JSONValue) -> JSONValue {
        get { self[key] ?? value() }
        set { self[key] = newValue }
    }

    /// Removes a member.
    ///
    /// - Returns: Its value; nil when there was none.
    @discardableResult
    public mutating func removeValue(forKey key: String) -> JSONValue? {
        self.index(of: key).map { self.members.remove(at: $0).value }
    }

    /// The names, in order.
    public var keys: some RandomAccessCollection<String> { self.members.lazy.map(\.key) }

    /// The values, in the order of their names.
    public var values: some RandomAccessCollection<JSONValue> { self.members.lazy.map(\.value) }

    // MARK: All members

    public func mapValues(_ transform: (JSONValue) throws -> JSONValue) rethrows -> JSONObject {
        var object = self
        for index in self.members.indices { object.members[index].value = try transform(self.members[index].value) }
        return object
    }

    /// The transformed values that are not nil, by name.
    public func compactMapValues<Value>(_ transform: (JSONValue) throws -> Value?) rethrows -> [String: Value] {
        var values: [String: Value] = [:]
        for (key, value) in self.members { values[key] = try transform(value) }
        return values
    }

    public func filter(_ stays: (Element) throws -> Bool) rethrows -> JSONObject {
        var object = JSONObject()
        object.members = try self.members.filter(stays)
        return object
    }

    /// Adds another object's members; where both have one, `combine` makes the value.
    public mutating func merge(
        _ other: JSONObject,
        uniquingKeysWith combine: (JSONValue, JSONValue) throws -> JSONValue
    ) rethrows {
        for (key, value) in other.members {
            if let own = self[key] { self[key] = try combine(own, value) } else { self[key] = value }
        }
    }

    /// The object with another one's members; where both have one, `combine` makes the value.
    public func merging(
        _ other: JSONObject,
        uniquingKeysWith combine: (JSONValue, JSONValue) throws -> JSONValue
    ) rethrows -> JSONObject {
        var object = self
        try object.merge(other, uniquingKeysWith: combine)
        return object
    }

    // MARK: Equality

    /// Whether two objects have the same members.
    public static func == (lhs: JSONObject, rhs: JSONObject) -> Bool {
        lhs.members.elementsEqual(rhs.members) { TextBytes.areEqual($0.key, $1.key) && $0.value == $1.value }
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(self.members.count)
        for (key, value) in self.members {
            TextBytes.hash(key, into: &hasher)
            hasher.combine(value)
        }
    }
}

extension JSONObject: RandomAccessCollection {
    public var startIndex: Int { 0 }

    public var endIndex: Int { self.members.count }

    public subscript(_ position: Int) -> Element { self.members[position] }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
    /// Makes an object; of two equal names the last one counts.
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self.init(elements.map { (key: $0.0, value: $0.1) })
    }
}
