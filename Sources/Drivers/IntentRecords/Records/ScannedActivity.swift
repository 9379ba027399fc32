internal import IntentKit

/// The columns of a user activity's row, in UTF-8.
struct ScannedActivity {
    var interactionID: RecordBytes?
    var activityType: RecordBytes?
    var title: RecordBytes?
    /// The data for the app, as JSON.
    var userInfo: RecordBytes?
    var intent: RecordBytes?
    var code: RecordBytes?
    var status: RecordBytes?
    var groupIdentifier: RecordBytes?

    /// Reads the data of `user-activity.created`.
    init(_ columns: EventColumns, _ data: JSONView?, _ arguments: ArgumentBytes) {
        let interaction = data?["interaction"]
        self.interactionID = columns.subject ?? arguments.text(interaction?["identifier"])
        self.activityType = arguments.text(data?["activityType"])
        self.title = arguments.text(data?["title"])
        self.userInfo = data?["userInfo"].map(arguments.canonicalText)
        self.intent = arguments.text(interaction?["intent"]?["name"])
        self.code = arguments.text(interaction?["intentResponse"]?["code"])
        self.status = arguments.text(interaction?["intentHandlingStatus"])
        self.groupIdentifier = arguments.text(interaction?["groupIdentifier"])
    }
}
