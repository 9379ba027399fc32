import Foundation
import IntentEvents
import IntentKit
import IntentRuntime
import IntentScenarios
import SiriKitIntents

extension DemoPlayer {
    /// The app does what it was asked, and reports.
    func report(_ story: DemoStory, in conversation: Conversation) async throws {
        guard var data = story.report else { return }
        data["user"] = ["id": .string(story.user)]
        self.say("the app", ["\(data["code"]?.string ?? "")"])
        try await conversation.send([conversation.makeEvent(EventType.appResponded.rawValue, data: .object(data))])
    }

    /// Shows the status of a ride until it is over: each phase once, though the vehicle moves all the time.
    func follow(_ conversation: Conversation) async throws {
        var phase: INRidePhase?
        while phase != .completed {
            let event = try await conversation.next(timeout: Self.patience)
            guard event.knownType == .statusUpdated,
                let status = INRideStatus(json: event.data["response"]?["rideStatus"] ?? .null), status.phase != phase
            else { continue }
            phase = status.phase
            var words = "~ \(status.phase.rawValue)"
            if let vehicle = status.vehicle, let driver = status.driver, status.phase != .completed {
                let name = [vehicle.manufacturer, vehicle.model].compactMap { $0 }.joined(separator: " ")
                words += ": \(driver.displayName) in a \(name), \(vehicle.registrationPlate ?? "")"
            }
            if let paid = status.completionStatus?.paymentAmount { words += ": \(paid.amount) \(paid.currencyCode)" }
            self.say("intentd", [words])
        }
    }

    /// Changes the stores during a story, as other people would; once per run.
    func change(
        _ name: String,
        _ body: @escaping @Sendable (any StoreTransaction) throws -> Void
    ) async throws {
        _ = try await self.ledger.perform(EffectKey(request: name, name: self.run, ordinal: 0)) { store in
            try body(store)
            return .null
        }
    }
}
