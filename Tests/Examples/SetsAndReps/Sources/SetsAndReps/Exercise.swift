/// What can be trained, and the words for it.
enum Exercise: String, CaseIterable, Sendable {
    case backSquat = "back squat"
    case frontSquat = "front squat"
    case benchPress = "bench press"
    case overheadPress = "overhead press"
    case deadlift

    /// What else people call it.
    var synonyms: [String] {
        switch self {
        case .backSquat: ["squats", "low bar squat"]
        case .frontSquat: []
        case .benchPress: ["bench"]
        case .overheadPress: ["military press", "ohp"]
        case .deadlift: ["dead lift"]
        }
    }

    /// The exercises that somebody may mean: the one with that name, else all in which the words occur.
    static func matches(for words: String) -> [Exercise] {
        let said = words.lowercased().split(whereSeparator: \.isWhitespace).joined(separator: " ")
        guard !said.isEmpty else { return [] }
        if let exact = Self.allCases.first(where: { $0.rawValue == said || $0.synonyms.contains(said) }) {
            return [exact]
        }
        return Self.allCases.filter { $0.rawValue.contains(said) }
    }
}
