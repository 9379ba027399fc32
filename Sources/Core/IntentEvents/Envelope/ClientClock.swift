/// The clocks of clients and operators, who date their own records.
///
/// Their clocks differ from those of the stages. A wait that is computed from both is bounded here, so that records and
/// metrics have the same one (R80a).
package enum ClientClock {
    /// By how many milliseconds such a clock may be wrong: a day; a larger difference counts as a mistake.
    package static let tolerance: Int64 = 86_400_000

    /// When a client wrote a record, as far as its clock can be believed: no later than the turn that processed it, and
    /// no more than the tolerance before it.
    package static func bounded(_ written: Timestamp, by turn: Timestamp) -> Timestamp {
        max(turn + -Self.tolerance, min(written, turn))
    }

    /// How many milliseconds a record of a client has waited for the turn that processed it.
    package static func wait(since written: Timestamp, until turn: Timestamp) -> Int64 {
        min(max(0, turn - written), Self.tolerance)
    }
}
