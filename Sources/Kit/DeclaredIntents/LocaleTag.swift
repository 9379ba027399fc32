/// The names of languages in files, such as `en` or `en-US` (BCP 47).
package enum LocaleTag {
    /// Whether a text has the form of a tag; `_` is accepted for `-`, as in the names of an app's folders.
    package static func isValid(_ text: String) -> Bool {
        let parts = text.split(omittingEmptySubsequences: false) { $0 == "-" || $0 == "_" }
        return (2...8).contains(parts[0].utf8.count)
            && parts.allSatisfy { part in
                (1...8).contains(part.utf8.count) && part.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
            }
    }
}
