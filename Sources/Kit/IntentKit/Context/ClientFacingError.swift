/// An error with a message for the client.
///
/// When a turn fails for good, its interaction ends with `error`. The response contains ``clientMessage`` and nothing
/// else of the error: its description, which may contain SQL or an address, is for the log and for operators. An error
/// of any other type is not described to the client. If it is thrown within ``TurnContext/run(_:_:)->_``,
/// ``TurnContext/read(_:_:)->_`` or ``TurnContext/effect(_:_:)->_``, the ``JournaledError`` keeps the message.
public protocol ClientFacingError: Error {
    /// The client's message, as `error` of the response: one or two sentences in the handler's own words.
    var clientMessage: String { get }
}
