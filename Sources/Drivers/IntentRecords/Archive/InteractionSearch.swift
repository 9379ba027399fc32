package import IntentEvents

/// A search among the recorded interactions, the newest first and page by page; a nil member does not filter.
///
/// One page examines at most ``scanLimit`` rows, however few of them match, so its time does not grow with the file. The
/// next page starts at ``InteractionPage/next``.
package struct InteractionSearch: Hashable, Sendable {
    /// Where interactions are (R80b).
    package enum State: RawRepresentable, Hashable, Sendable, CaseIterable {
        /// In any state but `ended`.
        case open
        case at(InteractionState)

        package static let ended = Self.at(.ended)
        package static let allCases = [Self.open] + InteractionState.allCases.map(Self.at)

        package var rawValue: String {
            switch self {
            case .open: "open"
            case .at(let state): state.rawValue
            }
        }

        package init?(rawValue: String) {
            guard let state = Self.allCases.first(where: { $0.rawValue == rawValue }) else { return nil }
            self = state
        }
    }

    /// The start of a page: after this row.
    package struct Mark: Hashable, Sendable {
        package var requestedAt: Timestamp
        /// Its number in the file.
        package var row: Int64

        package init(requestedAt: Timestamp, row: Int64) {
            self.requestedAt = requestedAt
            self.row = row
        }
    }

    /// A parameter that must have a value.
    package struct ParameterMatch: Hashable, Sendable {
        package var name: String
        /// The value, or one of a list's, or a member of an object: as text, ignoring the case of ASCII
        /// letters.
        package var value: String
        /// The intents whose parameter it is.
        package var intents: [String]

        package init(name: String, value: String, intents: [String]) {
            self.name = name
            self.value = value
            self.intents = intents
        }
    }

    package var userID: UserID?
    package var intent: String?
    /// Interactions with this status (R10).
    package var status: String?
    package var parameters: [ParameterMatch] = []
    /// Interactions with this code, status or end reason.
    package var code: String?
    /// Interactions whose last answer came from this stage.
    package var stage: String?
    package var state: State?
    /// Interactions requested at this time or later.
    package var since: Timestamp?
    /// Interactions requested before this time.
    package var until: Timestamp?
    /// Those with this text in their id, user, intent, code, end reason or parameters, ignoring the case of ASCII
    /// letters.
    package var text: String?
    /// The start of the page; nil for the newest.
    package var after: Mark?
    /// The maximum number of interactions.
    package var limit = 50
    /// The maximum number of examined rows.
    package var scanLimit = 50_000
    /// The maximum number of open interactions whose events and turns are read to find out their state.
    package var stateLimit = 500

    /// Searches for everything.
    package init() {}

    /// Whether some examined rows may be left out.
    var isSelective: Bool {
        self.intent != nil || self.code != nil || self.stage != nil || self.state != nil || self.text != nil
            || self.status != nil || !self.parameters.isEmpty
    }
}
