/// Asks until the answer is as expected: for what a broker, a process or a file knows, and reports to nobody.
///
/// Where the test can learn of a change, it waits for that instead: with a stream, a ``Gate``, or
/// ``LogLines/next(_:_:count:)``.
///
/// - Parameters:
///   - limit: How long it asks.
///   - isExpected: Whether the answer is the expected one.
///   - ask: Asks.
/// - Returns: The expected answer.
/// - Throws: ``UnexpectedAnswer`` when the time is over; what asking throws.
@discardableResult
package func eventually<Answer>(
    within limit: Duration = .seconds(60),
    _ isExpected: (Answer) -> Bool,
    ask: () async throws -> Answer
) async throws -> Answer {
    let deadline = ContinuousClock.now + limit
    while true {
        let answer = try await ask()
        if isExpected(answer) { return answer }
        guard .now < deadline else { throw UnexpectedAnswer(last: "\(answer)", limit: limit) }
        try await Task.sleep(for: .milliseconds(5))
    }
}

/// Asks until the answer is yes: see ``eventually(within:_:ask:)``.
///
/// - Throws: ``UnexpectedAnswer`` when the time is over; what asking throws.
package func eventually(within limit: Duration = .seconds(60), _ ask: () async throws -> Bool) async throws {
    try await eventually(within: limit, \.self, ask: ask)
}

/// The expected answer has not come.
package struct UnexpectedAnswer: Error, CustomStringConvertible {
    /// The last answer.
    package var last: String
    /// How long was asked.
    package var limit: Duration

    package var description: String { "after \(self.limit) the answer is still: \(self.last)" }
}
