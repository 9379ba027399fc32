#if PostgreSQL
internal import CPostgreSQL
internal import Foundation
internal import IntentKit

/// A connection to the server, used on one queue.
///
/// Each exchange has a deadline on this side too: a server that does not answer, or a network that is cut, ends it with
/// ``PostgreSQLFailure/Kind/lost``. A connection that is lost is not used again.
final class PostgreSQLConnection {
    /// What a connection is for.
    enum Use {
        case writing
        /// Reads of handlers and of queries.
        case reading
    }

    private struct Statement {
        var name: String
        var parameters: [Oid]
    }

    /// How long the server works on a statement.
    private static let statementTimeout = Duration.seconds(10)
    /// How many prepared statements are kept.
    private static let maximumStatements = 200

    private let handle: OpaquePointer
    private var statements: [String: Statement] = [:]
    private var lastStatement = 0
    /// Whether it can no longer be used.
    private(set) var isLost = false

    /// Connects.
    ///
    /// libpq reads what the address does not say from the environment (`PGPASSWORD`, `PGPASSFILE`, `PGSERVICEFILE` …).
    /// - Throws: `StoreError`; ``PostgreSQLFailure``.
    init(_ address: String, _ use: Use) throws {
        // What comes after `dbname` overrides what the address says, and what comes before is overridden by it.
        let options = [
            ("connect_timeout", "5"), ("tcp_user_timeout", "15000"), ("keepalives_idle", "10"),
            ("keepalives_interval", "5"), ("keepalives_count", "3"), ("target_session_attrs", "read-write"),
            ("fallback_application_name", "intentd"), ("dbname", address), ("client_encoding", "UTF8"),
        ]
        let words = options.map { (strdup($0.0), strdup($0.1)) }
        defer {
            for (key, value) in words {
                free(key)
                free(value)
            }
        }
        let keys = words.map { UnsafePointer($0.0) } + [nil]
        let values = words.map { UnsafePointer($0.1) } + [nil]
        guard let handle = PQconnectdbParams(keys, values, 1) else {
            throw StoreBusyError("Out of memory: cannot allocate a connection.")
        }
        self.handle = handle
        guard PQstatus(handle) == CONNECTION_OK else { throw self.lost() }
        // The library would print what the server remarks.
        _ = PQsetNoticeProcessor(handle, { _, _ in }, nil)
        _ = try self.script(
            """
            SET statement_timeout = '\(Self.statementTimeout.components.seconds)s'; SET lock_timeout = '5s';
            SET idle_in_transaction_session_timeout = '10s';
            SELECT set_config('synchronous_commit', 'on', false)
            WHERE current_setting('synchronous_commit') NOT IN ('on', 'remote_apply');
            """
        )
        // A scan of a whole table would conflict with everybody who writes to it.
        if use == .writing { _ = try self.script("SET enable_seqscan = off") }
    }

    deinit { PQfinish(self.handle) }

    /// Where it leads to, for messages.
    var location: String {
        func text(_ pointer: UnsafeMutablePointer<CChar>?) -> String { pointer.map { String(cString: $0) } ?? "" }
        return "the database \(text(PQdb(self.handle))) on \(text(PQhost(self.handle))):\(text(PQport(self.handle)))"
    }

    /// Whether a transaction is open and no statement of it has failed.
    var isInTransaction: Bool { PQtransactionStatus(self.handle) == PQTRANS_INTRANS }

    /// Runs statements without arguments, separated by semicolons; returns what the last one is called when it is done.
    ///
    /// - Parameters:
    ///   - sql: The statements.
    ///   - limit: How long they may take.
    /// - Returns: The last one's tag, such as `COMMIT`.
    /// - Throws: `StoreError`, ``StoreBusyError``, ``PostgreSQLFailure``.
    @discardableResult
    func script(_ sql: String, limit: Duration = .seconds(15)) throws -> String {
        guard !sql.utf8.contains(0) else { throw StoreError(.value, "A statement holds U+0000.") }
        guard PQsendQuery(self.handle, sql) == 1 else { throw self.lost() }
        return try self.results(sql, limit).last.map { String(cString: PQcmdStatus($0.pointer)) } ?? ""
    }

    /// Runs a statement.
    /// - Throws: `StoreError`, ``StoreBusyError``, ``PostgreSQLFailure``.
    func run(_ sql: String, _ arguments: [JSONValue]) throws -> PostgreSQLResult {
        let statement = try self.prepared(sql)
        guard statement.parameters.count == arguments.count else {
            throw StoreError(
                .arguments,
                "The statement takes \(statement.parameters.count) arguments, not \(arguments.count): \(sql)"
            )
        }
        var bytes: [UInt8] = []
        var offsets: [Int?] = []
        var lengths: [Int32] = []
        var formats: [Int32] = []
        for (argument, type) in zip(arguments, statement.parameters) {
            let value = try PostgreSQLValue.encode(argument, as: type)
            offsets.append(value.map { _ in bytes.count })
            lengths.append(Int32(value?.count ?? 0))
            formats.append(PostgreSQLValue.isText(type) ? 1 : 0)
            bytes += (value ?? []) + [0]
        }
        let sent = bytes.withUnsafeBytes { buffer in
            let start = buffer.baseAddress
            let values = offsets.map { $0.flatMap { start?.advanced(by: $0).assumingMemoryBound(to: CChar.self) } }
            return PQsendQueryPrepared(self.handle, statement.name, Int32(values.count), values, lengths, formats, 0)
        }
        guard sent == 1 else { throw self.lost() }
        guard let result = try self.results(sql, .seconds(15)).last else { throw self.lost() }
        return result
    }

    private func prepared(_ sql: String) throws -> Statement {
        if let statement = self.statements[sql] { return statement }
        guard !sql.utf8.contains(0) else { throw StoreError(.value, "A statement holds U+0000.") }
        if self.statements.count >= Self.maximumStatements {
            self.statements = [:]
            try self.script("DEALLOCATE ALL")
        }
        self.lastStatement += 1
        let name = "s\(self.lastStatement)"
        guard PQsendPrepare(self.handle, name, sql, 0, nil) == 1 else { throw self.lost() }
        _ = try self.results(sql, .seconds(15))
        guard PQsendDescribePrepared(self.handle, name) == 1 else { throw self.lost() }
        guard let described = try self.results(sql, .seconds(15)).last else { throw self.lost() }
        let types = (0..<PQnparams(described.pointer)).map { PQparamtype(described.pointer, $0) }
        let statement = Statement(name: name, parameters: types)
        self.statements[sql] = statement
        return statement
    }

    /// All results of what was sent; throws the first error among them.
    private func results(_ sql: String, _ limit: Duration) throws -> [PostgreSQLResult] {
        let deadline = ContinuousClock.now + limit
        var results: [PostgreSQLResult] = []
        var failure: (any Error)?
        while true {
            while PQisBusy(self.handle) == 1 {
                try self.waitForInput(until: deadline)
                guard PQconsumeInput(self.handle) == 1 else { throw self.lost() }
            }
            guard let pointer = PQgetResult(self.handle) else { break }
            let result = PostgreSQLResult(pointer)
            switch PQresultStatus(pointer) {
            case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_EMPTY_QUERY: results.append(result)
            case PGRES_FATAL_ERROR: failure = failure ?? PostgreSQLFailure.error(of: pointer, sql)
            default: throw self.lost("The statement does not return rows: \(sql)")
            }
        }
        guard PQstatus(self.handle) == CONNECTION_OK else { throw self.lost() }
        guard let failure else { return results }
        if (failure as? PostgreSQLFailure)?.kind == .lost { self.isLost = true }
        throw failure
    }

    private func waitForInput(until deadline: ContinuousClock.Instant) throws {
        while true {
            let left = deadline - .now
            guard left > .zero else { throw self.lost("The server did not respond in time.") }
            var descriptor = pollfd(fd: PQsocket(self.handle), events: Int16(POLLIN), revents: 0)
            let ready = poll(&descriptor, 1, Int32(clamping: Int64(left / .milliseconds(1)) + 1))
            if ready > 0 { return }
            if ready < 0, errno != EINTR { throw self.lost("Cannot wait for the connection.") }
        }
    }

    /// Gives the connection up.
    private func lost(_ message: String? = nil) -> PostgreSQLFailure {
        self.isLost = true
        // The library's messages name hosts and users, never passwords.
        let said = message ?? String(cString: PQerrorMessage(self.handle))
        return PostgreSQLFailure(kind: .lost, description: said.trimmingCharacters(in: .whitespacesAndNewlines))
    }
}

/// A statement's result, freed with it.
final class PostgreSQLResult {
    let pointer: OpaquePointer

    /// Owns a result.
    init(_ pointer: OpaquePointer) { self.pointer = pointer }

    deinit { PQclear(self.pointer) }

    /// The number of rows that the statement changed; none for a query.
    var changedRows: Int {
        String(cString: PQcmdStatus(self.pointer)).hasPrefix("SELECT")
            ? 0 : Int(String(cString: PQcmdTuples(self.pointer))) ?? 0
    }

    /// Its rows, each by column name.
    /// - Throws: `StoreError`, `value`.
    func rows() throws -> [JSONObject] {
        let columns = (0..<PQnfields(self.pointer))
            .map { (name: String(cString: PQfname(self.pointer, $0)), type: PQftype(self.pointer, $0)) }
        return try (0..<PQntuples(self.pointer))
            .map { row in
                var object: JSONObject = [:]
                for (index, column) in zip(Int32(0)..., columns) {
                    object[column.name] =
                        PQgetisnull(self.pointer, row, index) == 1
                        ? .null
                        : try PostgreSQLValue.decode(
                            UnsafeRawBufferPointer(
                                start: PQgetvalue(self.pointer, row, index),
                                count: Int(PQgetlength(self.pointer, row, index))
                            ),
                            column.type,
                            column.name
                        )
                }
                return object
            }
    }
}
#endif
