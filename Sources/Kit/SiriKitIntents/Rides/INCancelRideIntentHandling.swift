public import IntentKit

/// Cancels rides: SiriKit's protocol, with its methods' names.
///
/// Only `handle` is required.
public protocol INCancelRideIntentHandling: INIntentHandling where HandledIntent == INCancelRideIntent {}
