internal import CYaml

/// Checks the size of a text of YAML before it is composed.
///
/// Yams composes aliases without a copy, but hashes the keys of mappings and is walked with every repetition. The
/// parser's events tell the size of each anchor; they are added up here without recursion.
struct YAMLBounds {
    /// A bound that a text exceeds.
    struct Excess: Error, Hashable {
        /// The line on which it is exceeded.
        var line: Int
        /// What is too much, in words that follow "holds".
        var message: String
    }

    private var open: [(weight: DocumentWeight, anchor: String?)] = []
    private var anchors: [String: DocumentWeight] = [:]
    private var total = DocumentWeight(nodes: 0)

    private init() {}

    /// Checks a text; what is not YAML is left to the parser that explains it.
    static func check(_ text: String) throws(Excess) {
        var text = text
        let result = text.withUTF8 { Self.result($0) }
        try result.get()
    }

    private static func result(_ text: UnsafeBufferPointer<UInt8>) -> Result<Void, Excess> {
        var parser = yaml_parser_t()
        // The parser refers to itself, so that its address must not change.
        return withUnsafeMutablePointer(to: &parser) { parser in
            guard yaml_parser_initialize(parser) == 1 else { return .success(()) }
            defer { yaml_parser_delete(parser) }
            yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
            yaml_parser_set_input_string(parser, text.baseAddress, text.count)
            var bounds = Self()
            do throws(Excess) {
                while try bounds.readEvent(parser) {}
                return .success(())
            } catch {
                return .failure(error)
            }
        }
    }

    /// Reads one event; false at the end, or where the text is no YAML.
    private mutating func readEvent(_ parser: UnsafeMutablePointer<yaml_parser_t>) throws(Excess) -> Bool {
        var event = yaml_event_t()
        guard yaml_parser_parse(parser, &event) == 1 else { return false }
        defer { yaml_event_delete(&event) }
        let line = Int(event.start_mark.line) + 1
        switch event.type {
        case YAML_SCALAR_EVENT:
            let weight = DocumentWeight(bytes: Int(event.data.scalar.length))
            try self.count(weight, line)
            self.close(weight, Self.name(event.data.scalar.anchor))
        case YAML_ALIAS_EVENT:
            let weight = Self.name(event.data.alias.anchor).flatMap { self.anchors[$0] } ?? DocumentWeight()
            try self.count(weight, line)
            self.close(weight, nil)
        case YAML_SEQUENCE_START_EVENT:
            try self.count(DocumentWeight(), line)
            self.open.append((DocumentWeight(), Self.name(event.data.sequence_start.anchor)))
        case YAML_MAPPING_START_EVENT:
            try self.count(DocumentWeight(), line)
            self.open.append((DocumentWeight(), Self.name(event.data.mapping_start.anchor)))
        case YAML_SEQUENCE_END_EVENT, YAML_MAPPING_END_EVENT:
            if let (weight, anchor) = self.open.popLast() { self.close(weight, anchor) }
        case YAML_STREAM_END_EVENT: return false
        default: break
        }
        return true
    }

    /// Counts a value.
    ///
    /// What an anchor weighs has been counted once, so that the sums cannot overflow.
    private mutating func count(_ weight: DocumentWeight, _ line: Int) throws(Excess) {
        self.total.nodes += weight.nodes
        self.total.bytes += weight.bytes
        self.total.depth = self.open.count + weight.depth
        if let excess = self.total.excess { throw Excess(line: line, message: excess) }
    }

    /// Adds a value to the collection that holds it.
    ///
    /// Its anchor is known from here on: it cannot hold itself.
    private mutating func close(_ weight: DocumentWeight, _ anchor: String?) {
        if let anchor { self.anchors[anchor] = weight }
        if !self.open.isEmpty { self.open[self.open.count - 1].weight.add(weight) }
    }

    private static func name(_ anchor: UnsafeMutablePointer<yaml_char_t>?) -> String? {
        anchor.map { String(cString: $0) }
    }
}
