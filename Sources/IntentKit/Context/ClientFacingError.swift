/// An error with words for the client.
///
/// When a turn fails for good, its interaction ends with `error`, and the response says ``clientMessage`` and nothing else
/// of the error: what an error's description holds, such as SQL or an address, is for the log and for operators. An error
/// of any other type tells the client nothing. Thrown within ``TurnContext/run(_:_:)->_``, ``TurnContext/read(_:_:)->_`` or
/// ``TurnContext/effect(_:_:)->_``, its words come along in the ``JournaledError``.
public protocol ClientFacingError: Error {
    /// What the client is told, as `error` of the response: one or two sentences in the handler's own words.
    var clientMessage: String { get }
}
