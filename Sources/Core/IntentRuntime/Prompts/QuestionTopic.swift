/// What a question is about: it decides the question word.
enum QuestionTopic: Hashable, CaseIterable {
    /// A yes or no.
    case yesOrNo
    /// A whole number.
    case count
    /// A number.
    case number
    /// A day.
    case day
    /// A time of day.
    case time
    /// A day and a time.
    case dayAndTime
    /// A range of time.
    case period
    /// A duration.
    case duration
    /// An amount of money.
    case amount
    /// A person.
    case person
    /// A place.
    case place
    /// One of a few values.
    case choice
    /// Anything else.
    case anything

    /// The topic for a type of values.
    init(typeName: String) {
        self =
            switch typeName {
            case "boolean": .yesOrNo
            case "integer": .count
            case "number": .number
            case "date": .day
            case "time": .time
            case "dateTime": .dayAndTime
            case "dateRange": .period
            case "duration": .duration
            case "currencyAmount": .amount
            case "person": .person
            case "place": .place
            case "enum": .choice
            default: .anything
            }
    }

    /// Whether less and more mean earlier and later.
    var isInTime: Bool { self == .day || self == .time || self == .dayAndTime }
}
