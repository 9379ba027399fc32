internal import GRDB
internal import SQLiteStore

/// A statement that inserts one row after the other; its arguments are bound in order from bytes that are not copied.
struct RowStatement {
    private let statement: PreparedStatement
    private let arguments: ArgumentBytes
    private let columnCount: Int32
    private var index: Int32 = 0

    init(into table: String, _ columns: [String], _ database: Database, _ arguments: ArgumentBytes) throws {
        let placeholders = Array(repeating: "?", count: columns.count).joined(separator: ", ")
        self.statement = try PreparedStatement(
            database,
            "INSERT INTO \(table) (\(columns.joined(separator: ", "))) VALUES (\(placeholders))"
        )
        self.arguments = arguments
        self.columnCount = Int32(columns.count)
    }

    /// Starts a row.
    mutating func begin() { self.index = 0 }

    /// Binds the next argument: an integer, or NULL.
    mutating func bind(_ value: Int64?) throws {
        self.index += 1
        try self.statement.bind(value, at: self.index)
    }

    /// Binds the next argument: UTF-8 as TEXT, or NULL.
    mutating func bind(text: RecordBytes?) throws {
        self.index += 1
        guard let text else { return try self.statement.bindNull(at: self.index) }
        try self.statement.bind(keptText: text, at: self.index)
    }

    /// Binds the next argument: bytes, or NULL.
    mutating func bind(blob: RecordBytes?) throws {
        self.index += 1
        guard let blob else { return try self.statement.bindNull(at: self.index) }
        try self.statement.bind(keptBlob: blob, at: self.index)
    }

    /// Binds the next argument: the number of a text in a list, or the text.
    mutating func bind(_ text: RecordBytes?, in words: PackedText.Words) throws {
        if let number = text.flatMap(words.number) { try self.bind(number) } else { try self.bind(text: text) }
    }

    /// Binds the next argument: this many hexadecimal digits as bytes, or the text.
    mutating func bind(digits text: RecordBytes?, count: Int) throws {
        if let bytes = text.flatMap({ PackedText.bytes(ofDigits: $0, count: count, self.arguments) }) {
            try self.bind(blob: bytes)
        } else {
            try self.bind(text: text)
        }
    }

    /// Inserts the row, for which every column has been bound.
    mutating func run() throws {
        precondition(self.index == self.columnCount, "A row binds every column once.")
        try self.statement.runWithNewArguments()
    }
}
