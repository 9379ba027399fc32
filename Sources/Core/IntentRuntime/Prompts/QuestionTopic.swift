/// What a question is about: it decides the question word.
enum QuestionTopic: Hashable, CaseIterable {
    case yesOrNo
    /// A whole number.
    case count
    case number
    case day
    /// A time of day.
    case time
    case dayAndTime
    case period
    case duration
    /// An amount of money.
    case amount
    case person
    case place
    /// One of a few values.
    case choice
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
