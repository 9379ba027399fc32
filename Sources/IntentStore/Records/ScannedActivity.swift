internal import IntentEvents
internal import IntentKit

/// The columns of a user activity's row, in UTF-8.
struct ScannedActivity {
    /// The interaction's id.
    var interactionID: [UInt8]?
    /// What the app is to do.
    var activityType: [UInt8]?
    /// What people read.
    var title: [UInt8]?
    /// What the app needs for it, as JSON.
    var userInfo: [UInt8]?
    /// The intent.
    var intent: [UInt8]?
    /// The interaction's code.
    var code: [UInt8]?
    /// Its status.
    var status: [UInt8]?
    /// Its group.
    var groupIdentifier: [UInt8]?

    /// Reads the data of `user-activity.created`, which are on the tape.
    init(_ event: ScannedEvent, _ tape: JSONTape, _ bytes: UnsafeBufferPointer<UInt8>) {
        func member(_ name: StaticString, of node: Int?) -> Int? { tape.member(name, of: node, in: bytes) }
        func text(_ name: StaticString, of node: Int?) -> [UInt8]? {
            tape.string(member(name, of: node), in: bytes)
        }
        let interaction = member("interaction", of: event.data)
        self.interactionID = event.subject ?? text("identifier", of: interaction)
        self.activityType = text("activityType", of: event.data)
        self.title = text("title", of: event.data)
        self.userInfo = member("userInfo", of: event.data).map { tape.canonicalText($0, in: bytes) }
        self.intent = text("name", of: member("intent", of: interaction))
        self.code = text("code", of: member("intentResponse", of: interaction))
        self.status = text("intentHandlingStatus", of: interaction)
        self.groupIdentifier = text("groupIdentifier", of: interaction)
    }
}
