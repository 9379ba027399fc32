public import IntentKit

/// Accepts feedback about rides: SiriKit's protocol, with its methods' names.
///
/// Only `handle` is required.
public protocol INSendRideFeedbackIntentHandling: INIntentHandling where HandledIntent == INSendRideFeedbackIntent {}
