/// A JSON text taken apart in one pass, without a tree: where each value begins and ends in the original bytes.
///
/// Of two members with one name the last counts. Nothing is copied or converted until it is asked for. The tape is kept
/// and used again: its memory does not follow the number of texts. It holds no bytes; whoever asks it passes those that
/// were read last.
package struct JSONTape: Sendable {
    /// A tape that is longer is given back after use.
    private static let keptNodes = 65_536
    /// So many nodes are on the stack where a text is short.
    private static let nodesOnStack = 62

    /// Room for nodes; the first ones are those of the text that was read last.
    private var nodes: ContiguousArray<JSONNode> = []

    /// An empty tape.
    package init() {}

    /// Takes a text apart; false for what ``JSONValue/init(parsing:maximumDepth:)`` refuses with the same bound on its
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

    /// Takes a text apart, and lets its value be looked at; the view is good for this call alone.
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

    /// Lets a value of a text be looked at whose nodes were kept; the view is good for this call alone.
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
            // Read where there is room in any case; what is kept takes no more than it has to.
            withUnsafeTemporaryAllocation(of: JSONNode.self, capacity: bytes.count + 1) { nodes in
                outcome = JSONScanner.read(bytes, maximumDepth: maximumDepth, into: nodes)
                if case .read(let used) = outcome { kept = ContiguousArray(nodes[..<used]) }
            }
        }
        if case .refused(let error) = outcome { throw error }
        return kept
    }

    /// How many nodes a text has at most, but for dense ones: a name or a value takes eight bytes and more, with what is
    /// around it.
    private static func usualCount(of bytes: UnsafeBufferPointer<UInt8>) -> Int { bytes.count / 8 + 8 }

    /// Takes a text apart in memory that is given back at once: of a short one, on the stack.
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
    /// Lets a value be looked at in the text that was read last; the view is good for this call alone.
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

    /// What a node is.
    package func kind(_ node: Int) -> JSONNode.Kind { self.nodes[node].kind }

    /// The member of that name, in ASCII; nil when the node is no object, or has none.
    package func member(_ name: StaticString, of node: Int?, in bytes: UnsafeBufferPointer<UInt8>) -> Int? {
        node.flatMap { self.look($0, bytes) { $0[name]?.node } }
    }

    /// The bytes of a string where they stand, and whether there are escapes among them; nil for anything else.
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

    /// The canonical text of a value (R11) where it stands; nil when its bytes may not be that, or it is a string.
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
