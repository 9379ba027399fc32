import Foundation
import IntentKit
import SampleApps
import SiriKitIntents
import Testing

@Suite("Reasons to refuse a ride")
struct RideRefusalTests {
    private static let newRides = ["INListRideOptionsIntent", "INRequestRideIntent"]
    private static let all = newRides + ["INGetRideStatusIntent"]

    /// The codes of the dry run and of the handling: a change in between counts.
    private func codes(_ intent: String, _ fixture: DomainFixture, _ trip: JSONObject) async throws -> Set<
        String?
    > {
        [
            try await fixture.confirm(intent, trip).code,
            try await fixture.handle(intent, trip, interaction: UUID().uuidString).code,
        ]
    }

    @Test("behaviour 42: the service is temporarily unavailable", arguments: Self.all)
    func reportsUnavailableService(intent: String) async throws {
        let fixture = try RidesFixture.make().with { $0.isAvailable = false }
        let codes = try await self.codes(intent, fixture, RidesFixture.trip)
        #expect(codes == ["failureRequiringAppLaunchServiceTemporarilyUnavailable"])
    }

    @Test("The user has to verify their credentials", arguments: Self.all)
    func requiresVerifiedCredentials(intent: String) async throws {
        let fixture = try RidesFixture.make()
        try fixture.store.write { try CityRide.setAccount(of: "u1", .mustVerifyCredentials, in: $0) }
        let codes = try await self.codes(intent, fixture, RidesFixture.trip)
        #expect(codes == ["failureRequiringAppLaunchMustVerifyCredentials"])
    }

    @Test(
        "behaviours 43 and 66: the user has to accept new terms in the app, which gets the reason",
        arguments: Self.all
    )
    func requiresNewTerms(intent: String) async throws {
        let fixture = try RidesFixture.make()
        try fixture.store.write { try CityRide.setAccount(of: "u1", .mustAcceptTerms, in: $0) }
        let response = try await fixture.confirm(intent, RidesFixture.trip)
        #expect(response.code == "failureRequiringAppLaunch")
        #expect(response.userActivity?.userInfo["error"] == "mustAcceptTerms")
    }

    @Test("A payment method is required", arguments: Self.newRides)
    func requiresPaymentMethod(intent: String) async throws {
        let fixture = try RidesFixture.make().with { $0.acceptsCash = false }
        try fixture.store.write { try CityRide.setPaymentMethods(of: "u1", [], in: $0) }
        let response = try await fixture.confirm(intent, RidesFixture.trip)
        #expect(response.code == "failureRequiringAppLaunch")
        #expect(response.details["error"] == "noPaymentMethod")
    }

    @Test("There is no service at the pickup", arguments: Self.newRides)
    func refusesPickupWithoutService(intent: String) async throws {
        let fixture = try RidesFixture.make()
        var trip = RidesFixture.trip
        trip["pickupLocation"] = RidesFixture.resort
        #expect(try await self.codes(intent, fixture, trip) == ["failureRequiringAppLaunchNoServiceInArea"])
    }

    @Test("behaviour 59: the current ride has to end first", arguments: Self.newRides)
    func requiresEndOfCurrentRide(intent: String) async throws {
        var fixture = try await RidesFixture.withRide()
        let code = "failureRequiringAppLaunchPreviousRideNeedsCompletion"
        #expect(try await self.codes(intent, fixture, RidesFixture.trip) == [code])
        fixture.now = try RidesFixture.moment("arrival_at", in: fixture) - 1
        #expect(try await fixture.confirm(intent, RidesFixture.trip).code == code)
        fixture.now += 1
        #expect(try await fixture.confirm(intent, RidesFixture.trip).code == "ready")
    }

    @Test("A cancelled ride, or one that is scheduled for later, does not block another", arguments: Self.newRides)
    func cancelledAndScheduledRidesDoNotBlock(intent: String) async throws {
        let canceled = try await RidesFixture.withRide()
        _ = try await canceled.handle("INCancelRideIntent", interaction: "cancel")
        #expect(try await canceled.confirm(intent, RidesFixture.trip).code == "ready")
        var trip = RidesFixture.trip
        trip["scheduledPickupTime"] = ["start": "2026-11-23T08:00:00Z"]
        var scheduled = try await RidesFixture.withRide(trip)
        #expect(try await scheduled.confirm(intent, RidesFixture.trip).code == "ready")
        scheduled.now = try RidesFixture.moment("approaching_at", in: scheduled)
        let code = try await scheduled.confirm(intent, RidesFixture.trip).code
        #expect(code == "failureRequiringAppLaunchPreviousRideNeedsCompletion")
    }

    @Test("Rides are scheduled at most a week ahead")
    func refusesRideMoreThanAWeekAhead() async throws {
        let fixture = try RidesFixture.make()
        var trip = RidesFixture.trip
        trip["scheduledPickupTime"] = ["start": "2026-11-28T12:30:01Z"]
        let codes = try await self.codes("INRequestRideIntent", fixture, trip)
        #expect(codes == ["failureRequiringAppLaunchRideScheduledTooFar"])
        trip["scheduledPickupTime"] = ["start": "2026-11-28T12:30:00Z"]
        #expect(try await fixture.confirm("INRequestRideIntent", trip).code == "ready")
    }

    @Test(
        "R26: a user who is not signed in is asked to sign in",
        arguments: Self.all + ["INCancelRideIntent", "INSendRideFeedbackIntent"]
    )
    func requiresSignIn(intent: String) async throws {
        var fixture = try RidesFixture.make()
        fixture.user.isAuthenticated = false
        #expect(try await fixture.confirm(intent, RidesFixture.trip).requiresAuthentication)
    }

    @Test("R29, behaviours 35 and 45: financial and irrevocable intents are always confirmed")
    func financialAndIrrevocableIntentsAreConfirmed() throws {
        let fixture = try RidesFixture.make()
        let policies = try (Self.all + ["INCancelRideIntent", "INSendRideFeedbackIntent"])
            .map { try fixture.registration($0).effectiveConfirmation }
        #expect(policies == [.never, .always, .never, .always, .byHandler])
    }
}
