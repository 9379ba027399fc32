/// What a ``UserID`` names.
public enum UserKind {}
/// A user, as `data.user.id` and `ce_userid` have it.
public typealias UserID = Identity<UserKind>

/// What a ``DeviceID`` names.
public enum DeviceKind {}
/// A user's device, as `data.device.id` has it.
public typealias DeviceID = Identity<DeviceKind>

/// What an ``InteractionID`` names.
public enum InteractionKind {}
/// An interaction of a user, as `ce_subject` has it (R8).
public typealias InteractionID = Identity<InteractionKind>

/// What a ``RequestID`` names.
public enum RequestKind {}
/// The position of an interaction's request, `partition:offset` (R8).
public typealias RequestID = Identity<RequestKind>

/// What a ``StateName`` names.
public enum StateKind {}
/// An entry of a user's state.
public typealias StateName = Identity<StateKind>

/// What a ``StateFamily`` names.
public enum StateFamilyKind {}
/// What the names of state entries of one sort begin with.
public typealias StateFamily = Identity<StateFamilyKind>

/// What a ``TopicName`` names.
public enum TopicKind {}
/// A topic, with the deployment's prefix.
public typealias TopicName = Identity<TopicKind>

/// What a ``GroupName`` names.
public enum GroupKind {}
/// A consumer group, with the deployment's prefix.
public typealias GroupName = Identity<GroupKind>

/// What a ``LaneName`` names.
public enum LaneKind {}
/// A lane, of which the static member's name and the transactional id are made.
public typealias LaneName = Identity<LaneKind>

/// What a ``PrincipalName`` names.
public enum PrincipalKind {}
/// Somebody as the broker knows them, `User:name`.
public typealias PrincipalName = Identity<PrincipalKind>

/// What a ``ResourceName`` names.
public enum ResourceKind {}
/// A topic, a group, a transactional id or the cluster, or what the names of some begin with.
public typealias ResourceName = Identity<ResourceKind>
