/// What kind of thing a question asks for: decides its question word.
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
    /// A stretch of time between two points.
    case period
    /// A length of time.
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

    /// What is asked for by the type of one value.
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

    /// Whether less and more are earlier and later.
    var isInTime: Bool { self == .day || self == .time || self == .dayAndTime }
}
