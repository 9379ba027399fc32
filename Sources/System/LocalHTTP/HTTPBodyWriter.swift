/// Sends the body of a response part by part.
package struct HTTPBodyWriter: Sendable {
    private let send: @Sendable (String) async throws -> Void

    package init(_ send: @escaping @Sendable (String) async throws -> Void) { self.send = send }

    /// Sends a part, and returns when the client's side has taken it: a slow client slows its own source down.
    /// - Throws: An error when the client has disconnected, or was cut off because it read nothing for too long.
    package func write(_ text: String) async throws { try await self.send(text) }
}
