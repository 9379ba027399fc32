/// A JSON text parsed in one pass, without a tree: where each value begins and ends in the original bytes.
///
/// Of two members with one name the last counts. Nothing is copied or converted until it is asked for. The tape is
/// reused: its memory does not grow with the number of texts.
package struct JSONTape: Sendable {
    /// A longer tape is freed after use.
    private static let keptNodes = 65_536
    /// The number of nodes that a short text has on the stack.
    private static let nodesOnStack = 62

    /// Room for nodes; the first ones belong to the text that was read last.
    private var nodes: ContiguousArray<JSONNode> = []

    /// The node of the whole text.
    package static let root = 0

    package init() {}

    /// Parses a text, and passes a view of its value to the closure; the view is valid for this call alone.
    /// - Throws: ``JSONParsingError``, as ``JSONValue/init(parsing:maximumDepth:)``.
    package mutating func read(
        _ bytes: UnsafeBufferPointer<UInt8>,
        maximumDepth: Int = JSONValue.defaultMaximumDepth,
        _ body: (JSONView) -> Void
    ) throws(JSONParsingError) {
        if self.nodes.count > Self.keptNodes { self.nodes = [] }
        if self.nodes.isEmpty { self.nodes = Self.room(256) }
        while true {
            let outcome = self.nodes.withUnsafeMutableBufferPointer { nodes in
                JSONScanner.read(bytes, maximumDepth: maximumDepth, into: nodes)
            }
            switch outcome {
            case .read: return self.nodes.withUnsafeBufferPointer { Self.withView(of: bytes, $0, Self.root, body) }
            case .refused(let error): throw error
            case .full: self.nodes = Self.room(min(bytes.count + 1, 8 * self.nodes.count))
            }
        }
    }

    private static func room(_ count: Int) -> ContiguousArray<JSONNode> {
        ContiguousArray(
            repeating: JSONNode(kind: .null, isSpecial: false, start: 0, end: 0, next: 0),
            count: count
        )
    }

    // MARK: Reading a text once

    /// Parses a text, and passes a view of its value to the closure; the view is valid for this call alone.
    /// - Throws: ``JSONParsingError``, as ``JSONValue/init(parsing:maximumDepth:)``.
    package static func withView(
        of bytes: UnsafeBufferPointer<UInt8>,
        maximumDepth: Int = JSONValue.defaultMaximumDepth,
        _ body: (JSONView) -> Void
    ) throws(JSONParsingError) {
        var defect: JSONParsingError?
        Self.withNodes(of: bytes, maximumDepth: maximumDepth) { outcome in
            switch outcome {
            case .success(let nodes): Self.withView(of: bytes, nodes, Self.root, body)
            case .failure(let error): defect = error
            }
        }
        if let defect { throw defect }
    }

    /// Passes a view of a value whose nodes were kept to the closure; the view is valid for this call alone.
    package static func withView(
        of bytes: UnsafeBufferPointer<UInt8>,
        _ nodes: UnsafeBufferPointer<JSONNode>,
        _ node: Int,
        _ body: (JSONView) -> Void
    ) {
        guard let text = bytes.baseAddress, let nodes = nodes.baseAddress else { return }
        body(JSONView(bytes: text, nodes: nodes, node: node))
    }

    /// A text's nodes, to be kept together with it.
    /// - Throws: ``JSONParsingError``, as ``JSONValue/init(parsing:maximumDepth:)``.
    package static func nodes(
        of bytes: UnsafeBufferPointer<UInt8>,
        maximumDepth: Int
    ) throws(JSONParsingError) -> ContiguousArray<JSONNode> {
        var outcome = JSONScanner.Outcome.full
        var kept = ContiguousArray<JSONNode>(unsafeUninitializedCapacity: Self.usualCount(of: bytes)) { nodes, count in
            outcome = JSONScanner.read(bytes, maximumDepth: maximumDepth, into: nodes)
            if case .read(let used) = outcome { count = used }
        }
        if case .full = outcome {
            // The text is read into a buffer that is large enough in any case; the copy that is kept has the exact
            // size.
            withUnsafeTemporaryAllocation(of: JSONNode.self, capacity: bytes.count + 1) { nodes in
                outcome = JSONScanner.read(bytes, maximumDepth: maximumDepth, into: nodes)
                if case .read(let used) = outcome { kept = ContiguousArray(nodes[..<used]) }
            }
        }
        if case .refused(let error) = outcome { throw error }
        return kept
    }

    /// An estimate of a text's number of nodes, exceeded only by dense texts: a name or a value takes eight bytes and
    /// more, with the characters around it.
    private static func usualCount(of bytes: UnsafeBufferPointer<UInt8>) -> Int { bytes.count / 8 + 8 }

    /// Parses a text into memory that is freed at once: for a short one, on the stack.
    private static func withNodes(
        of bytes: UnsafeBufferPointer<UInt8>,
        maximumDepth: Int,
        _ body: (Result<UnsafeBufferPointer<JSONNode>, JSONParsingError>) -> Void
    ) {
        func read(_ nodes: UnsafeMutableBufferPointer<JSONNode>) -> Bool {
            switch JSONScanner.read(bytes, maximumDepth: maximumDepth, into: nodes) {
            case .full: return false
            case .read(let count): body(.success(UnsafeBufferPointer(rebasing: nodes[..<count])))
            case .refused(let error): body(.failure(error))
            }
            return true
        }
        let usual = max(Self.nodesOnStack, Self.usualCount(of: bytes))
        if withUnsafeTemporaryAllocation(of: JSONNode.self, capacity: usual, read) { return }
        _ = withUnsafeTemporaryAllocation(of: JSONNode.self, capacity: bytes.count + 1, read)
    }
}
