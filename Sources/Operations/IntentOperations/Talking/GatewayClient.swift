package import Foundation
package import IntentEvents
package import IntentKit
internal import LibCurl
internal import LocalHTTP

/// Sends what people type to a gateway (R85), in the name of the users that they choose.
package struct GatewayClient: Sendable {
    /// How long a request waits for its response: somebody waits for a page.
    private static let timeout = Duration.seconds(10)
    /// The largest response, an interaction with what its stages have written.
    private static let maximumResponseBytes = 4 << 20
    /// How much of a problem's text is shown.
    private static let maximumProblem = 1_000

    private let address: String
    /// Where its token is; nil for a gateway without keys.
    private let token: SecretSource?

    /// The gateway of a configuration; nil where none is set.
    package init?(_ configuration: Configuration) {
        guard let address = configuration.text(.consoleGateway) else { return nil }
        self.address = address.hasSuffix("/") ? String(address.dropLast()) : address
        self.token = configuration.text(.consoleGatewayToken).flatMap { SecretSource($0) }
    }

    /// Posts an object.
    ///
    /// - Parameters:
    ///   - body: The object.
    ///   - path: The parts of the path.
    ///   - user: The user for whom it is posted.
    ///   - key: The `Idempotency-Key`.
    /// - Throws: ``OperationError``: `usage` when the gateway refuses it, and nothing was done; `unavailable` when it may
    ///   have been done, so that the same post under the same key is safe; `configuration` for a missing token.
    ///   `CancellationError`, only when the task is cancelled.
    package func post(_ body: JSONObject, to path: [String], for user: UserID, key: UUID) async throws {
        var headers = [
            "Content-Type": "application/json", "Idempotency-Key": key.uuidString.lowercased(),
            "Intentd-User": Fields.encoded(user.text),
        ]
        headers["Authorization"] = try await self.readToken().map { "Bearer \($0)" }
        let request = HTTPRequest(
            Array(JSONValue.object(body).description.utf8),
            to: path.reduce(self.address) { "\($0)/\(Fields.encoded($1))" },
            headers: headers,
            timeout: Self.timeout,
            maximumBytes: Self.maximumResponseBytes
        )
        let reply: HTTPReply
        do {
            reply = try await HTTPSession.shared.reply(to: request)
        } catch let error as HTTPExchangeError {
            throw OperationError(
                .unavailable,
                "Cannot reach the gateway at \(self.address): \(error). Check console.gateway."
            )
        }
        try self.check(reply)
    }

    private func check(_ reply: HTTPReply) throws(OperationError) {
        let json = (try? JSONValue(parsing: reply.body))?.object
        if 200..<300 ~= reply.status, json != nil { return }
        let words = ["title", "detail"].compactMap { json?[$0]?.string?.prefix(Self.maximumProblem) }
        let status = "The gateway at \(self.address) answered \(reply.status)"
        let answer = words.isEmpty ? "\(status)." : "\(status) \(words.joined(separator: ": "))"
        switch reply.status {
        case 401,
            403 where json?["code"] != "userMustConfirm":
            throw OperationError(.usage, "\(answer) Check console.gatewayToken.")
        case 400..<500 where !words.isEmpty:
            throw OperationError(.usage, answer)
        case 500...:
            throw OperationError(.unavailable, answer)
        default:
            throw OperationError(.unavailable, "\(answer) A gateway of intentd does not. Check console.gateway.")
        }
    }

    /// The token as it is now, so that it can be replaced while the console runs; nil where none is needed.
    private func readToken() async throws -> String? {
        guard let token = self.token else { return nil }
        do {
            // On a thread that may block: the file can be on a network.
            let text = try await withCheckedThrowingContinuation { continuation in
                DispatchQueue.global()
                    .async {
                        continuation.resume(
                            with: Result<String, any Error> {
                                try token.read(ProcessInfo.processInfo.environment)
                            }
                        )
                    }
            }
            guard text.utf8.allSatisfy({ 0x21...0x7E ~= $0 }) else {
                throw OperationError(.configuration, "\(token) must hold one token of visible ASCII characters")
            }
            return text
        } catch let error as OperationError {
            throw OperationError(.configuration, "console.gatewayToken: \(error.message).")
        }
    }
}

extension Configuration {
    /// Makes the console use the gateway of this process, unless the configuration names one.
    ///
    /// - Parameter gateway: The gateway's address; nil where the process serves none.
    /// - Returns: The configuration for the console.
    package func usingGateway(at gateway: String?) -> Configuration {
        guard let gateway, self.entry(.consoleGateway) == nil else { return self }
        var own = self
        own.values[Setting.consoleGateway.key] = Entry(value: .text(gateway), origin: .byDefault)
        return own
    }
}
