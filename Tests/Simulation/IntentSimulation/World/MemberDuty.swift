internal import IntentEvents

/// What a process of a deployment does.
enum MemberDuty: Hashable {
    /// Works one stage.
    case stage(Stage)
    /// Records what the topics hold.
    case recorder
}
