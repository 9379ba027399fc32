/// The answers of a round, and the room that is left for more.
struct Outbox {
    /// Answers that may be sent after the commit; a nil response sends nothing (`acks=0`).
    var answers: [(token: ReplyToken, response: (any WireEncodable)?)] = []
    /// The approximate number of bytes that the answers hold.
    var bytes = 0
    /// The number of bytes of records that Fetch may still return in this round.
    var fetchAllowance = Int.max

    /// The number of bytes of records for which there is room beside the answers.
    var room: Int { max(0, self.fetchAllowance - self.bytes) }

    mutating func reply(_ token: ReplyToken, _ response: any WireEncodable) {
        self.answers.append((token, response))
        self.bytes += response.weight
    }

    /// Ends a request that gets no answer.
    mutating func skip(_ token: ReplyToken) {
        self.answers.append((token, nil))
    }

    mutating func clear() {
        self.answers.removeAll(keepingCapacity: self.answers.count < 1_000)
        self.bytes = 0
    }
}
