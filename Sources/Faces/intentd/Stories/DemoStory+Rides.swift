import Foundation
import IntentCommands
import IntentKit
import SampleApps
import SiriKitIntents

extension DemoStory {
    /// CityRide's stories: a fare that rises before the yes, and a ride that is followed to its end.
    static let rides = [fareWentUp]

    private static let fareWentUp = DemoStory(
        title:
            "The fare rises before the confirmation: the user is asked again; then the ride's status is pushed until it ends",
        user: "maria",
        words: "I need a ride from Central Station to Lakeside Resort.",
        intent: IntentSnapshot(
            name: "INRequestRideIntent",
            parameters: ["pickupLocation": "Central Station", "dropOffLocation": "Lakeside Resort"]
        ),
        replies: [
            Reply(words: "To the opera, then.", data: ["action": "accept", "value": "opera"]),
            Reply(
                words: "Yes.",
                data: ["action": "accept"],
                meanwhile: { try CityRide.setSurge(150, for: "economy", since: .distantPast, in: $0) }
            ),
            Reply(words: "Well, yes.", data: ["action": "accept"]),
        ],
        isUnlocked: true,
        prepare: { store in
            var terms = RideTerms()
            // Two minutes pass in a second: the whole ride takes a few seconds.
            terms.pace = 120
            try CityRide.setTerms(terms, in: store)
        },
        update: { Self.update(INRideStatus(json: $0["response"]?["rideStatus"] ?? .null)) }
    )

    /// A ride's status in words: the vehicle moves all the time, and its phase seldom.
    private static func update(_ status: INRideStatus?) -> Update? {
        guard let status else { return nil }
        var words = status.phase.rawValue
        if let vehicle = status.vehicle, let driver = status.driver, status.phase != .completed {
            let name = [vehicle.manufacturer, vehicle.model].compactMap { $0 }.joined(separator: " ")
            words += ": \(driver.displayName) in a \(name), \(vehicle.registrationPlate ?? "")"
        }
        if let paid = status.completionStatus?.paymentAmount { words += ": \(paid.amount) \(paid.currencyCode)" }
        return Update(phase: status.phase.rawValue, words: words, isLast: status.phase == .completed)
    }
}
