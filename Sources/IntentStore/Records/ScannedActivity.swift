/// The columns of a user activity's row, in UTF-8.
struct ScannedActivity {
    /// The interaction's id.
    var interactionID: RecordBytes?
    /// The activity's type.
    var activityType: RecordBytes?
    /// The title for people.
    var title: RecordBytes?
    /// The data for the app, as JSON.
    var userInfo: RecordBytes?
    /// The intent.
    var intent: RecordBytes?
    /// The interaction's code.
    var code: RecordBytes?
    /// Its status.
    var status: RecordBytes?
    /// Its group.
    var groupIdentifier: RecordBytes?

    /// Reads the data of `user-activity.created`.
    init(_ event: ScannedEvent, _ value: ScannedValue) {
        let interaction = value.member("interaction", of: event.data)
        self.interactionID = event.subject ?? value.text("identifier", of: interaction)
        self.activityType = value.text("activityType", of: event.data)
        self.title = value.text("title", of: event.data)
        self.userInfo = value.member("userInfo", of: event.data).map(value.canonicalText)
        self.intent = value.text("name", of: value.member("intent", of: interaction))
        self.code = value.text("code", of: value.member("intentResponse", of: interaction))
        self.status = value.text("intentHandlingStatus", of: interaction)
        self.groupIdentifier = value.text("groupIdentifier", of: interaction)
    }
}
