import Foundation
import IntentKit
import LibCurl

/// One post of an intent: what is sent, and what the answer comes to.
struct HTTPPost: Sendable {
    /// What a service answered, as the journal keeps it: a replay reads it there (R42).
    struct Answer: Codable, Sendable {
        /// The status.
        var status: Int
        /// The body, if it is a JSON object, and nested no deeper than clients may.
        var body: String?
    }

    /// Where it goes.
    let handling: HTTPHandling
    /// What is done.
    let intent: IntentSnapshot

    /// Posts it, and says what the answer means.
    ///
    /// - Throws: `JournaledError`: transient for what may pass, as long as the definition allows another try.
    func handle(_ context: TurnContext) async throws -> HandlerResponse {
        let answer = try await context.run("http") { try await self.post(context) }
        let details = try answer.body.map { try JSONValue(parsing: $0) }?.object ?? [:]
        return HandlerResponse(code: self.handling.code(of: answer.status), details: details)
    }

    /// The key by which a service tells a repeated post from a new one (R30).
    static func idempotencyKey(interaction: String, intent: String) -> String {
        // A header holds visible ASCII; an interaction's id is whatever a client made up.
        var key = ""
        for byte in "\(interaction)/\(intent)/0".utf8 {
            if (0x21...0x7E).contains(byte), byte != UInt8(ascii: "%") {
                key.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                let hex = String(byte, radix: 16, uppercase: true)
                key += "%" + (hex.count == 1 ? "0" : "") + hex
            }
        }
        return key
    }

    private func post(_ context: TurnContext) async throws -> Answer {
        let reply: HTTPReply
        do {
            reply = try await HTTPSession.shared.post(
                HTTPRequest(
                    self.body(context).utf8,
                    to: self.handling.address,
                    headers: try self.headers(context),
                    tls: self.handling.tls?.files ?? TLSFiles(),
                    timeout: self.handling.timeout,
                    maximumBytes: HTTPHandling.maximumAnswerBytes
                )
            )
        } catch let error as HTTPExchangeError {
            throw self.failure("\(error)", mayPass: error.mayPass, context)
        }
        guard self.handling.code(of: reply.status) != nil else {
            throw self.failure("it answered \(reply.status)", mayPass: true, context)
        }
        let json = try? JSONValue(parsing: reply.body, maximumDepth: HTTPHandling.maximumAnswerDepth)
        let body = json.flatMap { $0.object == nil ? nil : $0.description }
        return Answer(status: reply.status, body: body)
    }

    /// What is posted: the intent as it was confirmed, and whose it is.
    private func body(_ context: TurnContext) -> JSONValue {
        .members([
            "intent": self.intent.json,
            "interaction": .members([
                "identifier": .string(context.interactionID),
                "groupIdentifier": context.groupIdentifier.map(JSONValue.string),
            ]),
            "user": ["id": .string(context.user.id)],
            "locale": .string(context.locale),
        ])
    }

    private func headers(_ context: TurnContext) throws -> [String: String] {
        let problems = self.handling.problems.map(\.message)
        guard problems.isEmpty else {
            throw self.failure(problems.joined(separator: "; "), mayPass: false, context)
        }
        var headers = self.handling.headers.compactMapValues(\.value)
        headers["Content-Type"] = "application/json"
        headers["Accept"] = headers["Accept"] ?? "application/json"
        headers["Idempotency-Key"] = Self.idempotencyKey(
            interaction: context.originalInteractionID,
            intent: self.intent.name
        )
        return headers
    }

    private func failure(_ message: String, mayPass: Bool, _ context: TurnContext) -> any Error {
        let isLast = context.attempt >= self.handling.attempts ?? .max
        let text = "POST \(self.handling.place): \(message)"
        return mayPass && !isLast ? HTTPPassingError(description: text) : HTTPLastingError(description: text)
    }
}

/// A post failed for a reason that may pass.
struct HTTPPassingError: TransientError, CustomStringConvertible {
    /// What was posted where, and what came of it.
    var description: String
}

/// A post failed for good.
struct HTTPLastingError: Error, CustomStringConvertible {
    /// What was posted where, and what came of it.
    var description: String
}
