/// Recognises statements that would end or leave the ledger's transaction.
///
/// This guards against mistakes, not against malice: handlers are the deployment's own code.
enum StatementKeyword {
    private static let forbidden: Set<String> = [
        "BEGIN", "COMMIT", "END", "ROLLBACK", "SAVEPOINT", "RELEASE", "ATTACH", "DETACH", "VACUUM", "PRAGMA",
    ]

    /// The statement's first word, if it is one that handlers may not use.
    static func forbidden(in sql: String) -> String? {
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
        return Self.forbidden.contains(word) ? word : nil
    }
}
