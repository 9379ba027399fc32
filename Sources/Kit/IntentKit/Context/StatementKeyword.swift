/// Recognises statements that would end or leave the ledger's transaction.
///
/// This guards against mistakes, not against malice: handlers are the deployment's own code.
package enum StatementKeyword {
    package static let ofSQLite: Set<String> = [
        "BEGIN", "COMMIT", "END", "ROLLBACK", "SAVEPOINT", "RELEASE", "ATTACH", "DETACH", "VACUUM", "PRAGMA",
    ]
    package static let ofPostgreSQL: Set<String> = [
        "BEGIN", "START", "COMMIT", "END", "ROLLBACK", "ABORT", "PREPARE", "SAVEPOINT", "RELEASE", "SET", "RESET",
        "DISCARD", "DEALLOCATE", "COPY", "VACUUM",
    ]

    /// Throws when the statement's first word is one that handlers may not use.
    /// - Throws: `StoreError`, `forbiddenStatement`.
    package static func check(_ sql: String, _ forbidden: Set<String>) throws(StoreError) {
        guard let word = self.first(in: sql, of: forbidden) else { return }
        throw StoreError(
            .forbiddenStatement,
            "\(word) is not allowed in an effect or a read: the ledger manages the transaction."
        )
    }

    private static func first(in sql: String, of forbidden: Set<String>) -> String? {
        var rest = sql[...]
        while true {
            rest = rest.drop { $0.isWhitespace || $0 == ";" }
            if rest.hasPrefix("--") {
                rest = rest.drop { !$0.isNewline }
            } else if rest.hasPrefix("/*") {
                rest = rest.dropFirst(2)
                while !rest.isEmpty, !rest.hasPrefix("*/") { rest = rest.dropFirst() }
                rest = rest.dropFirst(2)
            } else {
                break
            }
        }
        let word = rest.prefix { $0.isLetter }.uppercased()
        return forbidden.contains(word) ? word : nil
    }
}
