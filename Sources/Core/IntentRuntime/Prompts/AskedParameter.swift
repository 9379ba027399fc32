/// A parameter as the subject of a question.
struct AskedParameter {
    /// The most values that a dialog names; further ones are offered without being named.
    static let mostOptionsSaid = 7

    /// What people call it: its title, else its name as words.
    var title: String
    /// What it is about.
    var topic: QuestionTopic
    /// Its allowed values, in words; empty for any.
    var options: [String] = []
    /// The minimum, in words.
    var minimum: String?
    /// The maximum, in words.
    var maximum: String?

    /// The values as a list with the language's word for "or"; nil when there are none, or too many to name.
    func options(_ or: String) -> String? {
        self.options.count <= Self.mostOptionsSaid ? Self.list(self.options, or) : nil
    }

    /// Texts as a list with the language's word for "or"; nil when there are none.
    static func list(_ texts: [String], _ or: String) -> String? {
        guard texts.count > 1, let last = texts.last else { return texts.first }
        return texts.dropLast().joined(separator: ", ") + " \(or) " + last
    }
}
