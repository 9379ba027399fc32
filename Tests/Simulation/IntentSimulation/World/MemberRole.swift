internal import IntentEvents

/// What a process of a deployment does.
enum MemberRole: Hashable {
    /// Works one stage.
    case stage(Stage)
    /// Records what the topics hold.
    case recorder
}
