/// One user's state entries in one piece: name and value after another, each behind its length.
enum PackedEntries {
    /// Packs entries.
    static func pack(_ entries: some Sequence<(name: String, value: [UInt8])>) -> [UInt8] {
        var bytes: [UInt8] = []
        func append(_ count: Int) {
            withUnsafeBytes(of: UInt32(count).littleEndian) { bytes.append(contentsOf: $0) }
        }
        for (name, value) in entries {
            append(name.utf8.count)
            bytes.append(contentsOf: name.utf8)
            append(value.count)
            bytes.append(contentsOf: value)
        }
        return bytes
    }

    /// Unpacks what ``pack(_:)`` has made.
    static func unpack(_ bytes: [UInt8]) -> [(name: String, value: [UInt8])] {
        var rest = bytes[...]
        func take() -> ArraySlice<UInt8> {
            let count = rest.prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
            defer { rest = rest.dropFirst(4 + count) }
            return rest.dropFirst(4).prefix(count)
        }
        var entries: [(name: String, value: [UInt8])] = []
        while !rest.isEmpty {
            let name = String(decoding: take(), as: UTF8.self)
            entries.append((name, Array(take())))
        }
        return entries
    }
}
