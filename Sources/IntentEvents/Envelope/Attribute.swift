/// What a header of an event is, by its name.
enum Attribute {
    /// A CloudEvents attribute that says something to intentd, by its name in structured mode.
    enum Name: String {
        case id
        case source
        case type
        case time
        case subject
        case userID = "userid"
        case causationID = "causationid"
        case stage
        case request
    }

    /// An attribute that says something to intentd.
    case named(Name)
    /// A header that is carried along.
    case passedThrough
    /// What the bytes are.
    case contentType

    /// Looks at a header's name; nil for what is nobody's business here.
    init?(header: String) {
        switch header {
        case EventHeaderName.specVersion: return nil
        case EventHeaderName.id: self = .named(.id)
        case EventHeaderName.source: self = .named(.source)
        case EventHeaderName.type: self = .named(.type)
        case EventHeaderName.time: self = .named(.time)
        case EventHeaderName.subject: self = .named(.subject)
        case EventHeaderName.userID: self = .named(.userID)
        case EventHeaderName.causationID: self = .named(.causationID)
        case EventHeaderName.stage: self = .named(.stage)
        case EventHeaderName.request: self = .named(.request)
        default:
            if EventHeaderName.passedThrough.contains(header) {
                self = .passedThrough
            } else if header.utf8.count == EventHeaderName.contentType.utf8.count,
                header.lowercased() == EventHeaderName.contentType
            {
                self = .contentType
            } else {
                return nil
            }
        }
    }
}

/// The values of an event's attributes.
struct AttributeValues {
    private var id: String?
    private var source: String?
    private var type: String?
    private var time: String?
    private var subject: String?
    private var userID: String?
    private var causationID: String?
    private var stage: String?
    private var request: String?

    /// The value of an attribute; nil when it is not there.
    subscript(_ name: Attribute.Name) -> String? {
        get {
            switch name {
            case .id: self.id
            case .source: self.source
            case .type: self.type
            case .time: self.time
            case .subject: self.subject
            case .userID: self.userID
            case .causationID: self.causationID
            case .stage: self.stage
            case .request: self.request
            }
        }
        set {
            switch name {
            case .id: self.id = newValue
            case .source: self.source = newValue
            case .type: self.type = newValue
            case .time: self.time = newValue
            case .subject: self.subject = newValue
            case .userID: self.userID = newValue
            case .causationID: self.causationID = newValue
            case .stage: self.stage = newValue
            case .request: self.request = newValue
            }
        }
    }
}
