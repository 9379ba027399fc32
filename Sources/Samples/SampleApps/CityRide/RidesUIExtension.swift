public import IntentKit
import SiriKitIntents

/// CityRide's views, with a list of intents of their own (behaviour 91).
public enum RidesUIExtension {
    public static func make() -> IntentUIExtension {
        IntentUIExtension(
            "CityRideUI",
            supportedIntents: [INRequestRideIntent.intentName, INGetRideStatusIntent.intentName],
            presenter: RideMapPresenter()
        )
    }
}
