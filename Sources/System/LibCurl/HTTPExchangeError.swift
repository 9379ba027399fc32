/// The reason why a post got no answer.
package enum HTTPExchangeError: Error, Hashable, CustomStringConvertible {
    case invalidAddress
    case timedOut(Duration)
    /// The body, or the headers, are larger than allowed.
    case tooLarge(maximum: Int)
    /// The connection could not be established, or broke.
    case failed(String)

    package var description: String {
        switch self {
        case .invalidAddress: "invalid address"
        case .timedOut(let time): "no response within \(time)"
        case .tooLarge(let maximum): "the response has more than \(maximum) bytes"
        case .failed(let message): message
        }
    }
}
