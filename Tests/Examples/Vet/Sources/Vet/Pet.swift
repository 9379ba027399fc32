import IntentKit

/// A pet that the practice knows; two of them may have one name.
struct Pet: EntityValue {
    static let typeName = "pet"

    var identifier: String?
    var name: String
    var breed: String?

    init(spokenPhrase: String) { self.name = spokenPhrase }

    var displayRepresentation: DisplayRepresentation? {
        DisplayRepresentation(title: LocalizedText(self.name), subtitle: self.breed.map { LocalizedText($0) })
    }

    /// Whether it is the one that was chosen, or has the name that was said.
    func isMeant(by said: Pet?) -> Bool {
        guard let said else { return true }
        if let identifier = said.identifier { return self.identifier == identifier }
        return self.name.lowercased() == said.name.lowercased()
    }
}
