/// A parameter as a question asks for it.
struct AskedParameter {
    /// The most values that a question says; more are offered without being said.
    static let mostOptionsSaid = 7

    /// What people call it: its title, else its name as words.
    var title: String
    /// What kind of thing it is.
    var topic: QuestionTopic
    /// The values that it may have, as they are said; empty for any.
    var options: [String] = []
    /// The least that it may be, as it is said.
    var minimum: String?
    /// The most that it may be, as it is said.
    var maximum: String?

    /// The values in a row, the language's word before the last; nil when there are none, or too many to be said.
    func options(_ or: String) -> String? {
        self.options.count <= Self.mostOptionsSaid ? Self.list(self.options, or) : nil
    }

    /// Texts in a row, the language's word before the last; nil when there are none.
    static func list(_ texts: [String], _ or: String) -> String? {
        guard texts.count > 1, let last = texts.last else { return texts.first }
        return texts.dropLast().joined(separator: ", ") + " \(or) " + last
    }
}
