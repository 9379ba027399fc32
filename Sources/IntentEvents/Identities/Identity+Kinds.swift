/// What a ``UserID`` names.
package enum UserKind {}
/// A user, as `data.user.id` and `ce_userid` have it.
package typealias UserID = Identity<UserKind>

/// What a ``DeviceID`` names.
package enum DeviceKind {}
/// A user's device, as `data.device.id` has it.
package typealias DeviceID = Identity<DeviceKind>

/// What an ``InteractionID`` names.
package enum InteractionKind {}
/// An interaction of a user, as `ce_subject` has it (R8).
package typealias InteractionID = Identity<InteractionKind>

/// What a ``RequestID`` names.
package enum RequestKind {}
/// The position of an interaction's request, `partition:offset` (R8).
package typealias RequestID = Identity<RequestKind>

/// What a ``StateName`` names.
package enum StateKind {}
/// An entry of a user's state.
package typealias StateName = Identity<StateKind>

/// What a ``StateFamily`` names.
package enum StateFamilyKind {}
/// What the names of state entries of one sort begin with.
package typealias StateFamily = Identity<StateFamilyKind>

/// What a ``TopicName`` names.
package enum TopicKind {}
/// A topic, with the deployment's prefix.
package typealias TopicName = Identity<TopicKind>

/// What a ``GroupName`` names.
package enum GroupKind {}
/// A consumer group, with the deployment's prefix.
package typealias GroupName = Identity<GroupKind>

/// What a ``LaneName`` names.
package enum LaneKind {}
/// A lane, of which the static member's name and the transactional id are made.
package typealias LaneName = Identity<LaneKind>

/// What a ``PrincipalName`` names.
package enum PrincipalKind {}
/// Somebody as the broker knows them, `User:name`.
package typealias PrincipalName = Identity<PrincipalKind>

/// What a ``ResourceName`` names.
package enum ResourceKind {}
/// A topic, a group, a transactional id or the cluster, or what the names of some begin with.
package typealias ResourceName = Identity<ResourceKind>
