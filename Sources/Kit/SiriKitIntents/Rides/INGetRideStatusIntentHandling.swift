public import IntentKit

/// Reports the status of a ride: SiriKit's protocol, with its methods' names.
///
/// Only `handle` is required.
public protocol INGetRideStatusIntentHandling: INIntentHandling where HandledIntent == INGetRideStatusIntent {}
