internal import IntentEvents
internal import IntentKit

/// The bytes of arguments, which SQLite reads in place while statements run.
///
/// For a record, they are those that are not in the record itself; for a group of rows (``RowStatement``), all. They stay
/// in place until the next record or group begins. After that an argument's pointer does not matter: a statement is not
/// run again before all its arguments are bound again.
final class ArgumentBytes {
    /// The usual capacity that a row needs.
    private static let usualCapacity = 64 * 1024

    private let usual = UnsafeMutablePointer<UInt8>.allocate(capacity: usualCapacity)
    private var count = 0
    /// Further memory, until the next `begin`.
    private var others: [UnsafeMutablePointer<UInt8>] = []

    init() {}

    deinit {
        self.begin()
        self.usual.deallocate()
    }

    func begin() {
        self.count = 0
        guard !self.others.isEmpty else { return }
        for other in self.others { other.deallocate() }
        self.others = []
    }

    /// Whether more was added than usual.
    var isFull: Bool { !self.others.isEmpty }

    /// Reserves room for bytes that the caller writes.
    func room(_ count: Int) -> UnsafeMutableBufferPointer<UInt8> {
        var pointer = self.usual + self.count
        if count <= Self.usualCapacity - self.count {
            self.count += count
        } else {
            pointer = .allocate(capacity: count)
            self.others.append(pointer)
        }
        return UnsafeMutableBufferPointer(start: pointer, count: count)
    }

    func add(_ bytes: [UInt8]) -> RecordBytes { bytes.withUnsafeBufferPointer { self.copy($0) } }

    func add(_ bytes: [UInt8]?) -> RecordBytes? { bytes.map { self.add($0) } }

    /// Adds a text's UTF-8.
    func add(_ text: String) -> RecordBytes {
        var text = text
        return text.withUTF8 { self.copy($0) }
    }

    /// Adds a text's UTF-8, if there is one.
    func add(_ text: String?) -> RecordBytes? { text.map { self.add($0) } }

    /// The UTF-8 of a text of the record: in place, unless it has escapes.
    func text(_ text: EventParts.Text?) -> RecordBytes? {
        guard let text, text.isEscaped else { return text?.bytes }
        return self.add(text.string)
    }

    /// The UTF-8 of a string of the record, in place, unless it has escapes; nil for anything else.
    func text(_ json: JSONView?) -> RecordBytes? {
        guard let json, let content = json.content else { return nil }
        return content.isEscaped ? self.add(json.string) : content.bytes
    }

    /// The canonical text of a value of the record: in place, if it is that already.
    func canonicalText(_ json: JSONView) -> RecordBytes {
        if json.kind != .string, let text = json.canonicalContent { return text }
        return self.add(JSONText.bytes { $0.value(json) })
    }

    func copy(_ bytes: RecordBytes) -> RecordBytes {
        let room = self.room(bytes.count)
        _ = room.update(from: bytes)
        return RecordBytes(room)
    }
}
