internal import IntentEvents
internal import IntentKit

extension Turn {
    /// Ends the interaction with its one terminal response (R9), in the transaction that gives it up (R12).
    ///
    /// - Parameters:
    ///   - reason: Why it ends.
    ///   - response: The handler's report; nil where no handler had a say.
    func end(_ reason: EndReason, response: HandlerResponse? = nil) {
        guard var interaction = self.interaction else { return }
        interaction.closePrompt(as: reason == .timeout ? .expired : .superseded)
        self.interaction = interaction
        let codes = self.environment.registry[interaction.intent.name]?.registration.codes ?? []
        let code = response?.code ?? (reason != .nominal && codes.contains("failure") ? "failure" : nil)
        let status = code.map(INIntentHandlingStatus.init(code:)) ?? (reason == .nominal ? .success : .failure)
        self.respond(
            code: code,
            status: status,
            endReason: reason,
            response: response,
            activity: self.activity(for: status, response: response)
        )
        self.removeState(StateName.interaction(interaction.request))
        self.remember(interaction, whereabouts: .ended)
        if reason == .nominal && status == .success { self.follow(interaction, told: response) }
        self.record.outcome = .ended
        self.ending = InteractionEnd(
            code: code,
            reason: reason,
            duration: max(0, self.now - interaction.startedAt),
            prompts: interaction.history.count
        )
    }

    /// Tells the user that it takes longer, or that the app goes on (R32, R33): not the end.
    func reportInProgress(code: String, response: HandlerResponse? = nil) {
        let status = INIntentHandlingStatus(code: code)
        let activity = code == "handleInApp" ? self.activity(for: .deferredToApplication, response: response) : nil
        self.respond(code: code, status: status, endReason: nil, response: response, activity: activity)
        self.record.outcome = .reported
    }

    /// Remembers an interaction by its id, for late answers and retried requests.
    func remember(_ interaction: Interaction, whereabouts: KnownInteraction.Whereabouts) {
        let known = KnownInteraction(interaction, at: self.now, whereabouts: whereabouts)
        self.setState(StateName.known(interaction.id), known)
    }

    /// The activity that goes with a response: always on a problem or when the app goes on (R34).
    private func activity(for status: INIntentHandlingStatus, response: HandlerResponse?) -> UserActivity? {
        switch status {
        case .failure, .deferredToApplication: response?.userActivity ?? UserActivity()
        case .unspecified, .ready, .inProgress, .success, .userConfirmationRequired: response?.userActivity
        }
    }

    private func respond(
        code: String?,
        status: INIntentHandlingStatus,
        endReason: EndReason?,
        response: HandlerResponse?,
        activity: UserActivity?
    ) {
        guard let interaction = self.interaction else { return }
        let activityData = activity.map {
            self.activityData($0, of: interaction, code: code, status: status, details: response?.details ?? [:])
        }
        let activityShown = activityData.map { data in
            JSONValue.members([
                "activityType": data["activityType"], "title": data["title"], "userInfo": data["userInfo"],
            ])
        }
        let view = self.view(of: interaction, code: code, status: status, response: response)
        self.emit(.intentResponded, to: .responses) { text in
            text.beginObject()
            text.name("code")
            text.stringOrNull(code)
            text.name("effects")
            text.strings(self.host?.effectNames ?? [])
            text.name("endReason")
            text.stringOrNull(endReason?.rawValue)
            text.name("ignoredParameters")
            text.strings(interaction.ignoredParameters)
            text.name("intent")
            interaction.intent.write(to: &text)
            text.member("phase", self.stage.rawValue)
            text.name("response")
            text.object(response?.details ?? [:])
            text.member("status", status.rawValue)
            text.name("terminal")
            text.bool(endReason != nil)
            text.member(userNamed: interaction.user.id)
            text.member("userActivity", value: activityShown ?? .null)
            text.member("view", value: view ?? .null)
            text.endObject()
        }
        if let activityData { self.emit(.userActivityCreated, to: .userActivities, data: activityData) }
    }

    /// The data of `user-activity.created`: the interaction is always filled in (behaviour 63).
    private func activityData(
        _ activity: UserActivity,
        of interaction: Interaction,
        code: String?,
        status: INIntentHandlingStatus,
        details: JSONObject
    ) -> JSONValue {
        var response = details
        response["code"] = code.map(JSONValue.string) ?? .null
        return .members([
            "activityType": .string(activity.activityType ?? interaction.intent.name),
            "interaction": .members([
                "dateInterval": [
                    "end": .string(self.now.description),
                    "start": .string(interaction.startedAt.description),
                ],
                "direction": "outgoing",
                "groupIdentifier": interaction.groupIdentifier.map(JSONValue.string),
                "identifier": interaction.id.json,
                "intent": interaction.intent.json,
                "intentHandlingStatus": .string(status.rawValue),
                "intentResponse": .object(response),
            ]),
            "title": activity.title.map(JSONValue.string),
            "user": ["id": .string(interaction.user.id)],
            "userInfo": .object(activity.userInfo),
        ])
    }
}
