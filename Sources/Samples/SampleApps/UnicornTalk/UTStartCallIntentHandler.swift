public import IntentKit
public import SiriKitIntents

/// Starts calls with UnicornTalk.
public struct UTStartCallIntentHandler: INStartCallIntentHandling {
    public init() {}

    /// Finds the call to return: the named one, else those that the filter selects, else the missed ones.
    ///
    /// Among several the latest comes first (behaviour 36).
    public func resolveCallRecordToCallBack(
        for intent: INStartCallIntent,
        with context: TurnContext
    ) async throws -> INCallRecordResolutionResult {
        guard intent.isCallBack else { return .notRequired() }
        guard let search = try await self.search(intent, context) else {
            return .unsupported(forReason: .noMatchingCall)
        }
        let calls = try await context.read("calls") { try search.calls(limit: AddressBook.maximumMatches, in: $0) }
            .map { $0.visible(to: context) }
        return switch calls.count {
        case 0: .unsupported(forReason: .noMatchingCall)
        case 1: .success(with: calls[0])
        default: .disambiguation(with: calls)
        }
    }

    /// Accepts the destination; a missing one follows from the other parameters.
    public func resolveDestinationType(
        for intent: INStartCallIntent,
        with context: TurnContext
    ) async throws -> INCallDestinationTypeResolutionResult {
        switch intent.destinationType {
        case nil, .unknown?: return .success(with: intent.isCallBack ? .callBack : .normal)
        case .voicemail?:
            let line = try await self.line(context)
            return line.voicemailNumber == nil ? .unsupported() : .success(with: .voicemail)
        case let type?: return .success(with: type)
        }
    }

    /// Resolves the people to call; without a name, uses the participants of the logged call (behaviour 15).
    public func resolveContacts(
        for intent: INStartCallIntent,
        with context: TurnContext
    ) async throws -> [INStartCallContactResolutionResult] {
        guard let contacts = intent.contacts, !contacts.isMissing else {
            return [try await self.guess(for: intent, context)]
        }
        let line = try await self.line(context)
        let callees = try await Callee.all(contacts, with: context)
        return zip(contacts.indices, callees)
            .map { index, callee in
                if case .code = callee { return .unsupported(forReason: .unsupportedMmiUssd) }
                if index > 0, !line.takesGroupCalls { return .unsupported(forReason: .multipleContactsUnsupported) }
                return self.resolution(of: contacts[index], to: callee, with: context)
            }
    }

    /// Checks that a call of that kind can be made here and received there; an audio call when no kind is given.
    public func resolveCallCapability(
        for intent: INStartCallIntent,
        with context: TurnContext
    ) async throws -> INStartCallCallCapabilityResolutionResult {
        var capability = intent.callCapability ?? .unknown
        if capability == .unknown { capability = intent.callRecordToCallBack?.callCapability ?? .audioCall }
        if capability == .unknown { capability = .audioCall }
        let line = try await self.line(context)
        guard line.hasMicrophone else { return .unsupported(forReason: .microphoneNotAccessible) }
        guard capability == .videoCall else { return .success(with: capability) }
        guard line.hasCamera else { return .unsupported(forReason: .cameraNotAccessible) }
        if intent.destinationType == .voicemail || intent.destinationType == .emergency {
            return .unsupported(forReason: .videoCallUnsupported)
        }
        let contacts = (intent.contacts ?? []).compactMap(\.identifier)
        let userID = context.user.id
        let blind = try await context.read("callees") { store in
            try UnicornTalk.callees(contacts, of: userID, without: "takes_video", in: store)
        }
        return blind.isEmpty ? .success(with: .videoCall) : .unsupported(forReason: .videoCallUnsupported)
    }

    /// The resolution of the user's words for a person.
    private func resolution(
        of person: INPerson,
        to callee: Callee,
        with context: TurnContext
    ) -> INStartCallContactResolutionResult {
        switch callee {
        case .code: return .unsupported(forReason: .unsupportedMmiUssd)
        case .invalidNumber: return .unsupported(forReason: .invalidHandle)
        case .number(let number): return .success(with: number)
        case .contacts(let contacts):
            switch contacts.count {
            case 2...: return .disambiguation(with: contacts.map { INPerson($0, context: context) })
            case 1: break
            default: return .unsupported(forReason: .noContactFound)
            }
            guard contacts[0].handle(matching: person.handle) != nil else {
                let isAboutLabel = person.handle?.value == nil && person.handle?.label != nil
                return .unsupported(forReason: isAboutLabel ? .noHandleForLabel : .invalidHandle)
            }
            return .success(with: INPerson(contacts[0], calledAs: person, context: context))
        }
    }
}

extension INStartCallIntent {
    /// Whether a past call is returned.
    var isCallBack: Bool {
        self.destinationType == .callBack || self.callRecordFilter != nil || self.callRecordToCallBack != nil
    }
}
