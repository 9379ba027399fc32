/// A JSON text parsed in one pass, without a tree: where each value begins and ends in the original bytes.
///
/// Of two members with one name the last counts. Nothing is copied or converted until it is asked for. The tape is
/// reused: its memory does not grow with the number of texts. It holds no bytes; callers pass the bytes that were read
/// last.
package struct JSONTape: Sendable {
    /// A longer tape is freed after use.
    private static let keptNodes = 65_536
    /// The number of nodes that a short text has on the stack.
    private static let nodesOnStack = 62

    /// Room for nodes; the first ones belong to the text that was read last.
    private var nodes: ContiguousArray<JSONNode> = []

    /// An empty tape.
    package init() {}

    /// Parses a text; false for what ``JSONValue/init(parsing:maximumDepth:)`` refuses with the same bound on its
    /// depth.
    package mutating func read(_ bytes: UnsafeBufferPointer<UInt8>, maximumDepth: Int) -> Bool {
        if self.nodes.count > Self.keptNodes { self.nodes = [] }
        if self.nodes.isEmpty { self.nodes = Self.room(256) }
        while true {
            let outcome = self.nodes.withUnsafeMutableBufferPointer { nodes in
                JSONScanner.read(bytes, maximumDepth: maximumDepth, into: nodes)
            }
            switch outcome {
            case .read: return true
            case .refused: return false
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

    // MARK: A text looked at once

    /// Parses a text, and passes a view of its value to the closure; the view is valid for this call alone.
    /// - Throws: ``JSONParsingError``, as ``JSONValue/init(parsing:maximumDepth:)``.
    package static func look(
        at bytes: UnsafeBufferPointer<UInt8>,
        maximumDepth: Int = JSONValue.defaultMaximumDepth,
        _ body: (JSONView) -> Void
    ) throws(JSONParsingError) {
        var defect: JSONParsingError?
        Self.withNodes(of: bytes, maximumDepth: maximumDepth) { outcome in
            switch outcome {
            case .success(let nodes): Self.look(at: bytes, nodes, Self.root, body)
            case .failure(let error): defect = error
            }
        }
        if let defect { throw defect }
    }

    /// Passes a view of a value whose nodes were kept to the closure; the view is valid for this call alone.
    package static func look(
        at bytes: UnsafeBufferPointer<UInt8>,
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

extension JSONTape {
    /// Passes a view of the text that was read last to the closure; the view is valid for this call alone.
    @inline(__always) private func look<Result>(
        _ node: Int,
        _ bytes: UnsafeBufferPointer<UInt8>,
        _ body: (JSONView) -> Result?
    ) -> Result? {
        self.nodes.withUnsafeBufferPointer { nodes in
            guard let text = bytes.baseAddress, let nodes = nodes.baseAddress else { return nil }
            return body(JSONView(bytes: text, nodes: nodes, node: node))
        }
    }

    /// The node of the whole text.
    package static let root = 0

    /// The kind of a node.
    package func kind(_ node: Int) -> JSONNode.Kind { self.nodes[node].kind }

    /// The member of that name, in ASCII; nil when the node is no object, or has none.
    package func member(_ name: StaticString, of node: Int?, in bytes: UnsafeBufferPointer<UInt8>) -> Int? {
        node.flatMap { self.look($0, bytes) { $0[name]?.node } }
    }

    /// The bytes of a string in place, and whether there are escapes among them; nil for anything else.
    package func content(
        _ node: Int?,
        in bytes: UnsafeBufferPointer<UInt8>
    ) -> (bytes: UnsafeBufferPointer<UInt8>, isEscaped: Bool)? {
        node.flatMap { self.look($0, bytes) { $0.content } }
    }

    /// The UTF-8 of a string; nil for anything else.
    package func string(_ node: Int?, in bytes: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
        node.flatMap { self.look($0, bytes) { $0.string.map { Array($0.utf8) } } }
    }

    /// The number, if it is one without fraction or exponent that fits 64 bits.
    package func integer(_ node: Int?, in bytes: UnsafeBufferPointer<UInt8>) -> Int64? {
        node.flatMap { self.look($0, bytes) { $0.integer } }
    }

    /// Whether the node is `true`; false for anything else.
    package func isTrue(_ node: Int?) -> Bool { node.map { self.nodes[$0].kind == .yes } ?? false }

    /// The canonical text of a value (R11) in place; nil when its bytes may not be canonical, or it is a string.
    package func canonicalContent(
        _ node: Int,
        in bytes: UnsafeBufferPointer<UInt8>
    ) -> UnsafeBufferPointer<UInt8>? {
        self.look(node, bytes) { $0.kind == .string ? nil : $0.canonicalContent }
    }

    /// The canonical text of a value (R11).
    package func canonicalText(_ node: Int, in bytes: UnsafeBufferPointer<UInt8>) -> [UInt8] {
        self.look(node, bytes) { view in JSONText.bytes { $0.value(view) } } ?? []
    }
}
