internal import IntentEvents

/// A role of a process of a deployment.
enum MemberRole: Hashable {
    /// Works one stage.
    case stage(Stage)
    /// Records the content of the topics.
    case recorder
}
