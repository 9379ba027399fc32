public import IntentKit

/// Says how a ride stands: SiriKit's protocol, with its methods' names.
///
/// Only `handle` is required.
public protocol INGetRideStatusIntentHandling: IntentHandler where HandledIntent == INGetRideStatusIntent {}
