/// What a batch does with a user's queue.
///
/// | the queue is | goes to |
/// |---|---|
/// | quiet: no event of it overtakes, as far as is known | searched, when a turn is parked that an event may overtake; deferred or resting, when its next event is due |
/// | searched: an event may overtake the parked turn | quiet, when none does; cut short, when the next candidate is on the disk |
/// | cut short: the next batch has the candidates in memory | searched, as above |
/// | deferred: an event was parked before its turn ran, since more are on the disk | nothing: all others wait for the next batch |
/// | resting: the next event is on the disk, and no turn is parked | nothing: all others wait for the next batch |
enum QueuePhase: Equatable {
    /// No event overtakes.
    case quiet
    /// An event may overtake.
    case searched
    /// The candidates are on the disk.
    case cutShort
    /// An event of the queue was parked before its turn ran.
    case deferred
    /// The next event is on the disk.
    case resting

    /// Whether everything that comes waits in the queue.
    var holdsEverything: Bool { self == .deferred || self == .resting }

    /// A turn was parked that events may overtake.
    mutating func search() {
        if !self.holdsEverything { self = .searched }
    }

    /// No event overtakes the parked turn.
    ///
    /// - Parameter isCutShort: Whether those on the disk were not examined.
    mutating func endSearch(isCutShort: Bool) {
        if self == .searched { self = isCutShort ? .cutShort : .quiet }
    }

    /// The next event was parked before its turn ran.
    mutating func hold() { self = .deferred }

    /// The next event is on the disk.
    mutating func rest() { self = .resting }

    /// Says whether the next batch has more to do for the user.
    ///
    /// - Parameters:
    ///   - hasParked: Whether a turn was parked in this batch that still runs.
    ///   - hasCandidates: Whether events may overtake the parked turn.
    /// - Returns: Whether it has.
    func continues(hasParked: Bool, hasCandidates: Bool) -> Bool {
        switch self {
        case .quiet: false
        case .searched: hasParked
        case .cutShort, .resting: true
        case .deferred: hasCandidates
        }
    }
}
