import IntentKit
import SiriKitIntents

extension UTStartCallIntentHandler {
    /// The capabilities of the user's line.
    func line(_ context: TurnContext) async throws -> CallLine {
        let userID = context.user.id
        return try await context.read("line") { try UnicornTalk.line(of: userID, in: $0) }
    }

    /// The calls that may be returned; nil when a participant is not known.
    func search(_ intent: INStartCallIntent, _ context: TurnContext) async throws -> CallSearch? {
        var search = CallSearch(of: context.user.id)
        if let record = intent.callRecordToCallBack {
            search.want(identifier: record.identifier)
            return search
        }
        guard let filter = intent.callRecordFilter else {
            search.want(.missed)
            return search
        }
        if let participants = filter.participants, !participants.isMissing {
            guard let people = try await CallPlan.people(participants, with: context) else { return nil }
            for person in people { search.want(participant: person.identifier ?? person.handle?.value ?? "") }
        }
        if let types = filter.callTypes { search.want(types) }
        if let capability = filter.callCapability { search.want(capability) }
        return search
    }

    /// The person to call according to the log, when no name is given.
    func guess(
        for intent: INStartCallIntent,
        _ context: TurnContext
    ) async throws -> INStartCallContactResolutionResult {
        switch intent.destinationType {
        case .voicemail?, .emergency?: return .notRequired()
        case .redial?:
            var search = CallSearch(of: context.user.id)
            search.want([.outgoing, .latest])
            let calls = try await context.read("calls") { [search] in try search.calls(limit: 1, in: $0) }
            guard let call = calls.first else { return .unsupported(forReason: .noCallHistoryForRedial) }
            guard let person = call.participants?.first, person.handle != nil else {
                return .unsupported(forReason: .noUsableHandleForRedial)
            }
            return .success(with: call.visible(to: context).participants?.first ?? person)
        case nil, .unknown?, .normal?, .callBack?: break
        }
        guard let record = intent.callRecordToCallBack else { return .needsValue() }
        var search = CallSearch(of: context.user.id)
        search.want(identifier: record.identifier)
        let calls = try await context.read("calls") { [search] in try search.calls(limit: 1, in: $0) }
        guard let call = calls.first, let person = call.participants?.first, person.handle != nil else {
            return .unsupported(forReason: .invalidHandle)
        }
        return .success(with: call.visible(to: context).participants?.first ?? person)
    }
}
