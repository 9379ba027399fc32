package import IntentEvents
internal import IntentKit

/// A plan to send the requests of dead letters again (R48).
///
/// A redriven request is an interaction of its own, `<id>~<n>`, with the header `ce_redriveof`: the position of the
/// first request. It asks for what the first one asked for, with the parameters as they were when it failed, and shares
/// its effects: what was done is not done again, and the rest can be. Two rules make that correct (R30):
///
/// - *An effect happens once, whichever interaction asks.* All interactions that follow from one request keep their
///   effects under the first one's position, in the transaction of the effect itself.
/// - *An interaction that has ended does nothing more.* Each interaction is closed under its own position, at its own
///   end, before its terminal response and its dead letter are committed. Later effects of its zombies are refused,
///   redriven or not; earlier effects are found by the redriven interaction.
///
/// The topics say what was sent already: a redriven request names the dead letter that it comes from
/// (`ce_causationid`). So an interrupted redrive can be run again and continues where it stopped.
///
/// The redriven request also carries what the first one's user has said yes to, and the form of its idempotency keys
/// (``RedriveState``).
package struct Redrive: Sendable {
    /// The header of a dead letter that holds the interaction's ``RedriveState``.
    package static let stateHeader = "intentd_redrive"
    /// The member of a redriven request's data that holds it; in any other request it means nothing.
    static let stateMember: StaticString = "redrive"

    /// What is to be done about one dead letter.
    package enum Step: Sendable {
        /// Its request is sent again, as the interaction of that id.
        case send(OutgoingRecord, interactionID: InteractionID)
        /// Its request was sent again before, as the interaction of that id.
        case alreadySent(interactionID: InteractionID)
        /// The event is posted to the webhook again, which did not take it (R88).
        case post
        /// Nothing can be sent, for this reason.
        case impossible(String)
    }

    /// The dead letters and their steps, in order.
    package var steps: [(letter: DeadLetter, step: Step)]

    /// Makes the plan; sends nothing.
    ///
    /// - Parameters:
    ///   - letters: The dead letters.
    ///   - deployment: The deployment where they were found.
    ///   - log: The log where they were found.
    ///   - key: Proves to the workers who sent the requests.
    ///   - again: Whether to send also requests that were sent again before.
    ///   - now: The time.
    /// - Throws: ``LogError``; `CancellationError`.
    package init(
        _ letters: [DeadLetter],
        of deployment: Deployment,
        on log: any EventLog,
        key: RedriveKey,
        again: Bool,
        now: Timestamp
    ) async throws {
        let letters = try await RedriveSources.completed(letters, of: deployment, on: log)
        var sources = try await RedriveSources(letters, of: deployment, on: log, key: key, now: now)
        self.steps = letters.map { letter in
            if let id = sources.sent[letter.position.description], !again {
                return (letter, .alreadySent(interactionID: id))
            }
            return (letter, Self.step(letter, &sources, deployment, key, now))
        }
    }

    /// What `requests` says about dead letters.
    package struct Known: Sendable {
        /// The last interaction that was made of each dead letter, by the letter's position.
        package var sent: [String: InteractionID] = [:]
        /// The intents of the interactions that ended with them, by the positions of their requests.
        package var intents: [RequestID: String] = [:]
    }

    /// What `requests` says about dead letters; what it does not hold is left out.
    /// - Throws: ``LogError``; `CancellationError`.
    package static func known(
        _ letters: [DeadLetter],
        of deployment: Deployment,
        on log: any EventLog
    ) async throws -> Known {
        let key = try await deployment.redriveKey(on: log)
        // Without a key nobody has sent any; then only the intents of answers have to be read.
        let isAsked = key != nil || letters.contains { $0.intent == nil && $0.headers.request != nil }
        guard isAsked else { return Known() }
        let sources = try await RedriveSources(letters, of: deployment, on: log, key: key, now: nil, withEnds: false)
        return Known(sent: sources.sent, intents: sources.intents)
    }

    /// The indices of the steps that post to the webhook.
    package var posts: [Int] {
        self.steps.indices.filter { if case .post = self.steps[$0].step { true } else { false } }
    }

    package var records: [OutgoingRecord] {
        self.steps.compactMap { if case .send(let record, _) = $0.step { record } else { nil } }
    }

    private static func step(
        _ letter: DeadLetter,
        _ sources: inout RedriveSources,
        _ deployment: Deployment,
        _ key: RedriveKey,
        _ now: Timestamp
    ) -> Step {
        if letter.headers.error == DeadLetterHeaders.webhookFailed {
            return letter.isComplete ? .post : .impossible(RedriveSources.truncated(letter).description)
        }
        let source: RedriveSources.Source
        switch sources.source(of: letter) {
        case .success(let found): source = found
        case .failure(let reason): return .impossible(reason.description)
        }
        var event = source.request
        let id: InteractionID = "\(source.baseID)~\(sources.nextNumber(of: source))"
        guard id.utf8.count <= Event.maximumIDBytes else {
            return .impossible("the new interaction's id would be longer than \(Event.maximumIDBytes) bytes")
        }
        if let parameters = source.parameters, var intent = event.data["intent"]?.object, var data = event.data.object {
            intent["parameters"] = .object(parameters)
            data["intent"] = .object(intent)
            event.data = .object(data)
        }
        if var data = event.data.object {
            data["redrive"] = letter.headers.redrive.isEmpty ? nil : letter.headers.redrive.json
            event.data = .object(data)
        }
        event.id = key.identifier(origin: source.origin, user: event.userID, interaction: id, data: event.data)
        event.source = "/intentd/dead-letters"
        event.time = now
        event.subject = id
        event.causationID = letter.position.description
        event.passedThrough[EventHeaderName.redriveOf] = source.origin.text
        return .send(deployment.request(event), interactionID: id)
    }
}
