internal import GRDB
internal import SQLiteStore

/// Inserts rows, several with each run of a statement; their arguments are bound in order.
///
/// A run opens and closes the table with all its indexes, whatever the number of its rows: together, eight rows take
/// 0.82 of the processor time that they take one by one. So rows wait for their group; ``flush()`` inserts those that
/// still wait.
struct RowStatement {
    /// An argument of a row that waits.
    private enum Argument {
        case null
        case integer(Int64)
        case text(RecordBytes)
        case blob(RecordBytes)
    }

    /// How many rows one run inserts; 16 gain little more.
    private static let groupSize = 8
    private let one: PreparedStatement
    private let group: PreparedStatement
    private let arguments: ArgumentBytes
    private let columnCount: Int
    /// The arguments of the rows that wait, and of the row that has begun.
    private var waiting: [Argument] = []
    /// Holds their bytes: records end before their group does.
    private let bytes = ArgumentBytes()

    init(into table: String, _ columns: [String], _ database: Database, _ arguments: ArgumentBytes) throws {
        let row = "(\(Array(repeating: "?", count: columns.count).joined(separator: ", ")))"
        // With ABORT, the default, SQLite would copy each page that a run changes, to undo its first rows when a later
        // one fails; here an error ends the transaction.
        let insert = "INSERT OR FAIL INTO \(table) (\(columns.joined(separator: ", "))) VALUES "
        self.one = try PreparedStatement(database, insert + row)
        self.group = try PreparedStatement(
            database,
            insert + Array(repeating: row, count: Self.groupSize).joined(separator: ", ")
        )
        self.arguments = arguments
        self.columnCount = columns.count
        self.waiting.reserveCapacity(Self.groupSize * columns.count)
    }

    /// Binds the next argument: an integer, or NULL.
    mutating func bind(_ value: Int64?) {
        self.waiting.append(value.map(Argument.integer) ?? .null)
    }

    /// Binds the next argument: UTF-8 as TEXT, or NULL.
    mutating func bind(text: RecordBytes?) {
        self.waiting.append(text.map { .text(self.bytes.copy($0)) } ?? .null)
    }

    /// Binds the next argument: bytes, or NULL.
    mutating func bind(blob: RecordBytes?) {
        self.waiting.append(blob.map { .blob(self.bytes.copy($0)) } ?? .null)
    }

    /// Binds the next argument: the number of a text in a list, or the text.
    mutating func bind(_ text: RecordBytes?, in words: PackedText.Words) {
        if let number = text.flatMap(words.number) { self.bind(number) } else { self.bind(text: text) }
    }

    /// Binds the next argument: this many hexadecimal digits as bytes, or the text.
    mutating func bind(digits text: RecordBytes?, count: Int) {
        if let bytes = text.flatMap({ PackedText.bytes(ofDigits: $0, count: count, self.arguments) }) {
            self.bind(blob: bytes)
        } else {
            self.bind(text: text)
        }
    }

    /// Inserts the row, for which every column has been bound, now or with its group.
    mutating func run() throws {
        precondition(self.waiting.count % self.columnCount == 0, "A row binds every column once.")
        if self.waiting.count == Self.groupSize * self.columnCount || self.bytes.isFull { try self.flush() }
    }

    /// Inserts the rows that wait.
    mutating func flush() throws {
        let count = self.waiting.count
        let isGroup = count == Self.groupSize * self.columnCount
        let statement = isGroup ? self.group : self.one
        let width = isGroup ? count : self.columnCount
        var start = 0
        while start < count {
            for index in 0..<width {
                let position = Int32(index + 1)
                switch self.waiting[start + index] {
                case .null: try statement.bindNull(at: position)
                case .integer(let value): try statement.bind(value, at: position)
                case .text(let text): try statement.bind(keptText: text, at: position)
                case .blob(let blob): try statement.bind(keptBlob: blob, at: position)
                }
            }
            try statement.runWithNewArguments()
            start += width
        }
        self.waiting.removeAll(keepingCapacity: true)
        self.bytes.begin()
    }
}
