import Foundation
import IntentKit

/// A post that is repeated only after the service was asked for its outcome (R76).
extension ServiceCaller {
    /// The step that is committed before the first post, and the read whose value shows who has committed it.
    static let postMark = "service.post"

    /// Commits the mark of a post, unless an earlier run has done so.
    ///
    /// - Returns: Whether the service may have received a post: of an earlier run, of another process, or of the
    ///   interaction from which this one was redriven.
    func mayHavePosted(_ context: TurnContext) async throws -> Bool {
        // A replay runs no step, so the value says whose it is.
        let own = try await context.runJSON(Self.postMark) { .string(UUID().uuidString) }
        let committed = try await context.stepJSON(Self.postMark) { own }
        guard committed == own, context.isRedriven else { return committed != own }
        // What the first interaction has posted: unless an operator has decided that it was not done.
        return try await context.stepJSON(IntentRegistration.clearance(of: Self.postMark)) { false } != true
    }

    /// Asks for the outcome of a post.
    ///
    /// - Returns: The answer of the post; nil when it was not done, and may be posted.
    /// - Throws: `OpenOutcomeError` when the service does not say.
    func lookUp(_ intent: IntentSnapshot, _ context: TurnContext) async throws -> HandlerResponse? {
        do {
            let (outcome, response) = try await self.outcome(of: intent, context)
            guard outcome == .unknown else { return response }
            let url = self.service.endpoint.below(ServiceCall.lookup.rawValue).displayURL
            let text = "POST \(url): the service does not know what became of the post"
            throw OpenOutcomeError(description: text, isTransient: false)
        } catch let error as JournaledError {
            throw self.open(error, context)
        } catch let error as HTTPLastingError {
            throw OpenOutcomeError(description: error.description, isTransient: false)
        }
    }

    /// Calls `lookup`; the response is that of the post, if it was done.
    func outcome(
        of intent: IntentSnapshot,
        _ context: TurnContext
    ) async throws -> (outcome: PostOutcome, response: HandlerResponse?) {
        let answer = try await self.ask(.lookup, ServiceRequest(context).body(intent, for: .lookup), context)
        let outcome = answer["outcome"]?.string.flatMap(PostOutcome.init(rawValue:)) ?? .unknown
        guard outcome == .done else { return (outcome, nil) }
        let response = try self.response(in: answer, of: .lookup, about: intent)
        try self.sendFollowUps(in: answer, context)
        return (outcome, response)
    }

    /// Posts; a failure after which the service may have received it leaves the outcome open.
    func postOnce(_ intent: IntentSnapshot, _ context: TurnContext) async throws -> HandlerResponse {
        do {
            return try await self.post(intent, context)
        } catch let error as JournaledError where error.isTransient {
            throw self.open(error, context)
        } catch let error as HTTPLastingError {
            // It did something, and the answer cannot be used.
            throw OpenOutcomeError(description: error.description, isTransient: !self.isLast(context))
        }
    }

    private func open(_ error: JournaledError, _ context: TurnContext) -> OpenOutcomeError {
        OpenOutcomeError(
            description: error.message,
            isTransient: error.isTransient && !self.isLast(context),
            retryAfter: error.retryAfter
        )
    }

    private func isLast(_ context: TurnContext) -> Bool {
        self.exchange(of: .handle, self.service.endpoint).isLast(context)
    }
}
