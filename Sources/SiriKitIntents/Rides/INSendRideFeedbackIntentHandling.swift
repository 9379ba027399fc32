public import IntentKit

/// Takes what users say about rides: SiriKit's protocol, with its methods' names.
///
/// Only `handle` is required.
public protocol INSendRideFeedbackIntentHandling: INIntentHandling where HandledIntent == INSendRideFeedbackIntent {}
