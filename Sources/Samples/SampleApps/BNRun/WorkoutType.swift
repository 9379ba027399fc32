public import IntentKit

/// A kind of workout that BNRun records (behaviour 30).
public enum WorkoutType: String, Sendable, CaseIterable, Codable {
    case walk
    case run
    case swim

    /// The name that the user is offered, with the kind's identifier.
    public var speakableString: INSpeakableString {
        switch self {
        case .walk: INSpeakableString(spokenPhrase: "Walk", identifier: self.rawValue)
        case .run: INSpeakableString(spokenPhrase: "Run", identifier: self.rawValue)
        case .swim: INSpeakableString(spokenPhrase: "Swim", identifier: self.rawValue)
        }
    }

    /// The kind that a name means: by identifier, then by the word itself or its other forms; nil for any other.
    public init?(intentWorkoutName name: INSpeakableString) {
        if let identifier = name.identifier, let type = Self(rawValue: identifier) {
            self = type
            return
        }
        let key = name.spokenPhrase.matchingKey
        guard let type = Self.allCases.first(where: { $0.words.contains(key) }) else { return nil }
        self = type
    }

    private var words: Set<String> {
        switch self {
        case .walk: ["walk", "walking", "awalk"]
        case .run: ["run", "running", "arun", "jog", "jogging", "ajog"]
        case .swim: ["swim", "swimming", "aswim"]
        }
    }

    /// The largest goal of this kind, in the dimension's base unit; nil where BNRun cannot measure it.
    func limit(of dimension: WorkoutGoal.Dimension) -> Double? {
        switch (self, dimension) {
        case (.walk, .distance), (.run, .distance): 200_000
        case (.swim, .distance): 50_000
        case (_, .time): 24 * 3_600
        case (.walk, .energy), (.run, .energy): 10_000 * 4_184
        case (.swim, .energy): nil
        }
    }
}
