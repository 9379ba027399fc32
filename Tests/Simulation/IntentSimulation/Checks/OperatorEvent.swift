/// What may become of operators' acts; seeds in which one of these never happens say nothing about it.
public enum OperatorEvent: String, Sendable, CaseIterable {
    /// A cancellation has ended an interaction, or begun to undo it.
    case cancelled = "cancelled"
    /// A cancellation was refused.
    case cancelRefused = "cancel refused"
    /// A retry has begun an attempt before its time.
    case retried = "retried"
    /// A retry was refused.
    case retryRefused = "retry refused"
    /// A partition has noted a pause.
    case paused = "paused"
    /// A pause of nothing was refused.
    case pauseRefused = "pause refused"
    /// A partition has noted the end of a pause.
    case resumed = "resumed"
    /// The end of a pause of nothing was refused.
    case resumeRefused = "resume refused"
    /// A pause has held an interaction.
    case held = "held"
    /// A held interaction has continued after its pause.
    case continued = "continued"
    /// A held interaction has ended without having continued.
    case endedWhileHeld = "ended while held"
    /// A process has started while something was paused.
    case startedWhilePaused = "started while paused"
}
