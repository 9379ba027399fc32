public import IntentKit
import SiriKitIntents

/// Draws rides: on a map the route with the vehicle on it, in a conversation the status of the ride (behaviour 88).
public struct RideMapPresenter: IntentPresenter {
    public init() {}

    /// Draws the ride of the response, or the requested route; nothing while neither end is known.
    public func view(of interaction: PresentedInteraction, in presentation: Presentation) -> PresentedView? {
        let status = interaction.response["rideStatus"].flatMap(INRideStatus.init(json:))
        let intent = interaction.intent(as: INRequestRideIntent.self)
        let pickup = status?.pickupLocation ?? intent.pickupLocation
        let dropOff = status?.dropOffLocation ?? intent.dropOffLocation
        let title: HTML = "\(pickup?.name ?? "")\(pickup == nil || dropOff == nil ? "" : " → ")\(dropOff?.name ?? "")"
        guard pickup != nil || dropOff != nil else { return nil }
        let state: HTML = "<p class=\"state\">\(Self.state(status, interaction))</p>"
        switch presentation.context {
        case .snippet:
            return PresentedView(
                html: "<section class=\"ride\"><h1>\(title)</h1>\(state)</section>",
                desiredSize: ViewSize(width: presentation.maximumSize.width, height: 72)
            )
        case .card:
            let size = ViewSize(width: 320, height: 240).limited(to: presentation.maximumSize)
            let map = RideMap(pickup: pickup, dropOff: dropOff, vehicle: status?.vehicle?.location, size: size)
            guard let drawn = map.svg else { return nil }
            return PresentedView(
                html: "<section class=\"ride\"><h1>\(title)</h1>\(drawn)\(state)</section>",
                desiredSize: size,
                displays: [.map]
            )
        }
    }

    /// The status of the ride, in a few words.
    private static func state(_ status: INRideStatus?, _ interaction: PresentedInteraction) -> String {
        guard let status else { return interaction.handlingStatus.isDraft ? "not yet requested" : "" }
        let words =
            switch status.phase {
            case .unknown: ""
            case .received: "requested"
            case .confirmed: "confirmed"
            case .approachingPickup: "on the way to you"
            case .pickup: "waiting for you"
            case .ongoing: "under way"
            case .completed: "completed"
            }
        let vehicle = [status.vehicle?.manufacturer, status.vehicle?.model, status.vehicle?.registrationPlate]
        let details = [status.driver?.displayName, vehicle.compactMap { $0 }.joined(separator: " ")]
            .compactMap { $0 }.filter { !$0.isMissing }
        return ([words] + details).filter { !$0.isMissing }.joined(separator: ", ")
    }
}
