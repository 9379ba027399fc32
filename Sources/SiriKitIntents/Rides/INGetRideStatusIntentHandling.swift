public import IntentKit

/// Says how a ride stands: SiriKit's protocol, with its methods' names.
///
/// Only `handle` is required.
public protocol INGetRideStatusIntentHandling: INIntentHandling where HandledIntent == INGetRideStatusIntent {}
