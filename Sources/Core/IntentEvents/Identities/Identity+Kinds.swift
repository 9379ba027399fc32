/// What a ``UserID`` names.
public enum UserKind {}
/// A user's id, from `data.user.id` and `ce_userid`.
public typealias UserID = Identity<UserKind>

/// What a ``DeviceID`` names.
public enum DeviceKind {}
/// The id of a user's device, from `data.device.id`.
public typealias DeviceID = Identity<DeviceKind>

/// What an ``InteractionID`` names.
public enum InteractionKind {}
/// The id of an interaction, from `ce_subject` (R8).
public typealias InteractionID = Identity<InteractionKind>

/// What a ``RequestID`` names.
public enum RequestKind {}
/// The position of an interaction's request, `partition:offset` (R8).
public typealias RequestID = Identity<RequestKind>

/// What a ``StateName`` names.
public enum StateKind {}
/// The name of an entry of a user's state.
public typealias StateName = Identity<StateKind>

/// What a ``StateFamily`` names.
public enum StateFamilyKind {}
/// The prefix of the names of state entries of one family.
public typealias StateFamily = Identity<StateFamilyKind>

/// What a ``TopicName`` names.
public enum TopicKind {}
/// A topic's name, with the deployment's prefix.
public typealias TopicName = Identity<TopicKind>

/// What a ``GroupName`` names.
public enum GroupKind {}
/// A consumer group's name, with the deployment's prefix.
public typealias GroupName = Identity<GroupKind>

/// What a ``LaneName`` names.
public enum LaneKind {}
/// A lane's name; the static member's name and the transactional id derive from it.
public typealias LaneName = Identity<LaneKind>

/// What a ``PrincipalName`` names.
public enum PrincipalKind {}
/// A principal of the broker, `User:name`.
public typealias PrincipalName = Identity<PrincipalKind>

/// What a ``ResourceName`` names.
public enum ResourceKind {}
/// The name of a topic, a group, a transactional id or the cluster, or a prefix of such names.
public typealias ResourceName = Identity<ResourceKind>
