/// A list that mostly has one element, for which it allocates nothing.
package struct ShortList<Element> {
    private var head: Element?
    private var tail: [Element] = []

    package init(_ elements: some Sequence<Element>) { for element in elements { self.append(element) } }

    package mutating func append(_ element: Element) {
        if self.head == nil { self.head = element } else { self.tail.append(element) }
    }

    package mutating func popFirst() -> Element? {
        guard let first = self.head.take() else { return nil }
        if !self.tail.isEmpty { self.head = self.tail.removeFirst() }
        return first
    }
}

extension ShortList: RandomAccessCollection {
    package var startIndex: Int { 0 }

    package var endIndex: Int { self.head == nil ? 0 : 1 + self.tail.count }

    package subscript(_ position: Int) -> Element {
        if position == 0, let head = self.head { return head }
        return self.tail[position - 1]
    }
}

extension ShortList: ExpressibleByArrayLiteral {
    package init(arrayLiteral elements: Element...) { self.init(elements) }
}

extension ShortList: Sendable where Element: Sendable {}

extension ShortList: Equatable where Element: Equatable {}
