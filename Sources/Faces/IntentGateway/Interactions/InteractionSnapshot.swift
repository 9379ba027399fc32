package import IntentEvents
package import IntentKit

/// An interaction as its user sees it at one moment.
package struct InteractionSnapshot: Hashable, Sendable {
    /// What the interaction waits for.
    package enum State: String, CaseIterable, Hashable, Sendable {
        /// Its request is on the log, and no stage has written anything about it yet.
        case queued
        /// A stage works on it, or an operator decides about it.
        case running
        /// A prompt is open that the user answers.
        case awaitingUser
        /// It continues when the device is unlocked.
        case awaitingUnlock
        /// It continues when the user has signed in.
        case awaitingSignIn
        /// It was handed to the app, which will report.
        case awaitingApp
        /// A failed attempt is repeated later.
        case retrying
        /// Operators have paused its intent or its app; it continues when they resume it (R82d).
        case paused
        /// It has its terminal response.
        case ended
    }

    package var id: InteractionID
    package var userID: UserID
    /// The position of its request on `requests`, `partition:offset`; nil until the view has read it.
    package var request: RequestID?
    package var state: State
    package var intent: String?
    /// `device.id` of its request: `device.unlocked` has to name the same one.
    package var device: DeviceID?
    /// `groupIdentifier` of its request.
    package var group: String?
    package var requestedAt: Timestamp
    /// The time of its latest event.
    package var updatedAt: Timestamp
    package var endedAt: Timestamp?
    /// Raised by every event of the interaction, and the same in every replica that has read the same events; a client
    /// that waits names the last one that it has seen.
    package var revision: Int64
    /// Whether a request that asked for it had been made before.
    package var isRepeated = false
    /// The data of the open `prompt.issued`; nil where none is open.
    package var prompt: JSONValue?
    /// The data of the latest `intent.responded`, terminal or not; nil before the first.
    package var response: JSONValue?
    /// The data of the latest `status.updated`; nil where there is none.
    package var update: JSONValue?
    /// The data of its `user-activity.created` events, in order.
    package var activities: [JSONValue]
    /// The data of the latest `event.rejected`; nil where there is none.
    package var rejection: JSONValue?

    package init(
        id: InteractionID,
        userID: UserID,
        request: RequestID? = nil,
        state: State,
        intent: String? = nil,
        device: DeviceID? = nil,
        group: String? = nil,
        requestedAt: Timestamp,
        updatedAt: Timestamp? = nil,
        endedAt: Timestamp? = nil,
        revision: Int64,
        prompt: JSONValue? = nil,
        response: JSONValue? = nil,
        update: JSONValue? = nil,
        activities: [JSONValue] = [],
        rejection: JSONValue? = nil
    ) {
        self.id = id
        self.userID = userID
        self.request = request
        self.state = state
        self.intent = intent
        self.device = device
        self.group = group
        self.requestedAt = requestedAt
        self.updatedAt = updatedAt ?? endedAt ?? requestedAt
        self.endedAt = endedAt
        self.revision = revision
        self.prompt = prompt
        self.response = response
        self.update = update
        self.activities = activities
        self.rejection = rejection
    }
}
