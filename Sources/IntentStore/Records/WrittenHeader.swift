/// The names of the headers of written events, for comparing bytes.
enum WrittenHeader {
    /// CloudEvents' version.
    static var specVersion: StaticString { "ce_specversion" }
    /// The event's id.
    static var id: StaticString { "ce_id" }
    /// The source.
    static var source: StaticString { "ce_source" }
    /// Its type.
    static var type: StaticString { "ce_type" }
    /// When it happened.
    static var time: StaticString { "ce_time" }
    /// The interaction's id.
    static var subject: StaticString { "ce_subject" }
    /// The user's id.
    static var userID: StaticString { "ce_userid" }
    /// The id of the event that this one answers.
    static var causationID: StaticString { "ce_causationid" }
    /// The stage.
    static var stage: StaticString { "ce_stage" }
    /// The position of the interaction's request.
    static var request: StaticString { "ce_request" }
    /// The type of the value's bytes.
    static var contentType: StaticString { "content-type" }
    /// The content type of events.
    static var json: StaticString { "application/json" }
}
