/// The state of an interaction; each part of its time is in one (R80).
package enum InteractionState: String, CaseIterable, Hashable, Sendable {
    /// Its request, or what it waited for, is on the log, and no turn has begun with it: the lane is busy, or a parked turn
    /// of its user comes first.
    case queued
    /// An attempt of a turn runs: the handler's code and the calls of its service.
    case running
    /// An attempt has failed, and the next one has not begun.
    case retrying
    /// Operators have paused its intent (R82).
    case paused
    /// A prompt is open that the user answers.
    case awaitingUser
    /// It continues when the device is unlocked.
    case awaitingUnlock
    /// It continues when the user has signed in.
    case awaitingSignIn
    /// It was handed to the app, which will report.
    case awaitingApp
    /// An operator decides what became of a post.
    case awaitingOperator
    /// A turn has ended, and its batch is not committed.
    case committing
    /// It has its terminal response.
    case ended

    /// Whether it waits for somebody, who ends that with an event.
    package var isAwaiting: Bool {
        switch self {
        case .awaitingUser, .awaitingUnlock, .awaitingSignIn, .awaitingApp, .awaitingOperator: true
        case .queued, .running, .retrying, .paused, .committing, .ended: false
        }
    }
}
