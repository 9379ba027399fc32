import Foundation
import IntentKit
import SampleApps
import SiriKitIntents
import Testing

@Suite("Parameters of a ride")
struct RideParameterTests {
    private let intent = "INRequestRideIntent"

    @Test(
        "behaviour 34: a drop-off outside the service area is unsupported, an absent one is asked for",
        arguments: ["INListRideOptionsIntent", "INRequestRideIntent"]
    )
    func asksForDropOffAndRefusesOutside(intent: String) async throws {
        let fixture = try RidesFixture.make()
        func resolve(_ place: JSONValue?) async throws -> ResolutionOutcome? {
            try await fixture.resolve(intent, "dropOffLocation", place.map { ["dropOffLocation": $0] } ?? [:])
        }
        #expect(try await resolve(nil) == .needsValue)
        #expect(try await resolve(" ") == .needsValue)
        #expect(try await resolve("opera") == .success(RidesFixture.opera))
        #expect(try await resolve("Lakeside Resort") == .unsupported(nil))
        #expect(try await resolve(["name": "the sea", "latitude": 0, "longitude": 0]) == .unsupported(nil))
        #expect(try await resolve("Atlantis") == .unsupported(nil), "no such place")
    }

    @Test(
        "The area is inside its corners",
        arguments: [(50.0, 14.51, true), (50.04, 14.51, false), (49.94, 14.4, false)]
    )
    func areaIsInsideItsCorners(latitude: Double, longitude: Double, isInside: Bool) async throws {
        let fixture = try RidesFixture.make()
        let place: JSONValue = ["name": "here", "latitude": .number(latitude), "longitude": .number(longitude)]
        let outcome = try await fixture.resolve(self.intent, "dropOffLocation", ["dropOffLocation": place])
        #expect(outcome == (isInside ? .success(place) : .unsupported(nil)))
    }

    @Test("An area that is added again has only its new corners")
    func replacedAreaHasNewCornersOnly() async throws {
        let fixture = try RidesFixture.make()
        let pier: JSONValue = ["name": "pier", "latitude": 10.9, "longitude": 10.5]
        func outcome() async throws -> ResolutionOutcome? {
            try await fixture.resolve(self.intent, "dropOffLocation", ["dropOffLocation": pier])
        }
        func set(_ corners: [(latitude: Double, longitude: Double)]) throws {
            try fixture.store.write { try CityRide.add(ServiceArea("Island", corners: corners), in: $0) }
        }
        #expect(try await outcome() == .unsupported(nil))
        try set([(10, 10), (10, 11), (11, 11), (11, 10)])
        #expect(try await outcome() == .success(pier))
        try set([(10, 10), (10, 11), (10.5, 10)])
        #expect(try await outcome() == .unsupported(nil))
    }

    @Test("behaviour 17: several places of a name are offered")
    func offersSeveralPlaces() async throws {
        let fixture = try RidesFixture.make()
        let outcome = try await fixture.resolve(self.intent, "dropOffLocation", ["dropOffLocation": "station"])
        guard case .disambiguation(let options)? = outcome else {
            Issue.record("two stations are a choice: \(String(describing: outcome))")
            return
        }
        #expect(options.map { $0.value["name"] } == ["Central Station", "North Station"])
        let fromOne: JSONObject = ["dropOffLocation": "station", "pickupLocation": RidesFixture.station]
        let other = try await fixture.resolve(self.intent, "dropOffLocation", fromOne)
        guard case .success(let place)? = other else {
            Issue.record("nobody rides to where they are (behaviour 21): \(String(describing: other))")
            return
        }
        #expect(place["name"] == "North Station")
    }

    @Test("behaviour 21: a drop-off at the pickup conflicts with it")
    func refusesDropOffAtPickup() async throws {
        let fixture = try RidesFixture.make()
        let parameters: JSONObject = [
            "dropOffLocation": RidesFixture.station, "pickupLocation": RidesFixture.station,
        ]
        #expect(try await fixture.resolve(self.intent, "dropOffLocation", parameters) == .unsupported(nil))
    }

    @Test("behaviours 86 and 87: home is the user's own, and unknown without access to contacts")
    func ownPlacesNeedContactsAccess() async throws {
        var fixture = try RidesFixture.make()
        let parameters: JSONObject = ["dropOffLocation": "home"]
        #expect(try await fixture.resolve(self.intent, "dropOffLocation", parameters) == .success(RidesFixture.home))
        fixture.user.hasContactsAccess = false
        #expect(try await fixture.resolve(self.intent, "dropOffLocation", parameters) == .needsValue)
        #expect(
            try await fixture.resolve(self.intent, "dropOffLocation", ["dropOffLocation": "opera"])
                == .success(RidesFixture.opera)
        )
        fixture.user = RequestingUser(id: "u2")
        #expect(try await fixture.resolve(self.intent, "dropOffLocation", parameters) == .unsupported(nil))
    }

    @Test("A pickup outside the area is a valid place: confirm says that there is no service")
    func pickupOutsideAreaIsRefusedAtConfirm() async throws {
        let fixture = try RidesFixture.make()
        let parameters: JSONObject = ["pickupLocation": "lakeside resort"]
        #expect(try await fixture.resolve(self.intent, "pickupLocation", parameters) == .success(RidesFixture.resort))
    }

    @Test("behaviours 15 and 36: a missing pickup is where the last ride ended, else where rides mostly begin")
    func guessesPickupFromEarlierRides() async throws {
        var fixture = try RidesFixture.make()
        #expect(try await fixture.resolve(self.intent, "pickupLocation", [:]) == .needsValue)
        for (index, pickup) in [RidesFixture.home, RidesFixture.home, RidesFixture.station].enumerated() {
            var trip = RidesFixture.trip
            trip["pickupLocation"] = pickup
            let response = try await fixture.handle(self.intent, trip, interaction: "r\(index)")
            #expect(response.code == "success", "\(response)")
            fixture.now += 86_400
        }
        #expect(try await fixture.resolve(self.intent, "pickupLocation", [:]) == .success(RidesFixture.home))
        let toHome: JSONObject = ["dropOffLocation": RidesFixture.home]
        #expect(
            try await fixture.resolve(self.intent, "pickupLocation", toHome) == .needsValue,
            "nobody rides from home home"
        )
        fixture.now -= 86_400 - 3_600
        #expect(try await fixture.resolve(self.intent, "pickupLocation", [:]) == .success(RidesFixture.opera))
    }

    @Test("behaviour 36: a missing kind of ride is the usual one that fits, else the smallest and cheapest")
    func guessesUsualOrSmallestOption() async throws {
        var fixture = try RidesFixture.make()
        #expect(try await fixture.resolve(self.intent, "rideOptionName", [:]) == .success(RidesFixture.economy))
        #expect(
            try await fixture.resolve(self.intent, "rideOptionName", ["partySize": 5]) == .success(RidesFixture.van)
        )
        var trip = RidesFixture.trip
        trip["rideOptionName"] = RidesFixture.comfort
        _ = try await fixture.handle(self.intent, trip)
        fixture.now += 86_400
        #expect(try await fixture.resolve(self.intent, "rideOptionName", [:]) == .success(RidesFixture.comfort))
        #expect(
            try await fixture.resolve(self.intent, "rideOptionName", ["partySize": 5]) == .success(RidesFixture.van)
        )
    }

    @Test("behaviour 18: a kind of ride that is too small is replaced, and the user is asked to confirm")
    func confirmsLargerOption() async throws {
        let fixture = try RidesFixture.make()
        let six: JSONObject = ["rideOptionName": "comfort", "partySize": 6]
        #expect(
            try await fixture.resolve(self.intent, "rideOptionName", six)
                == .confirmationRequired(ParameterOption(RidesFixture.van), nil)
        )
        let four: JSONObject = ["rideOptionName": "comfort", "partySize": 4]
        #expect(try await fixture.resolve(self.intent, "rideOptionName", four) == .success(RidesFixture.comfort))
    }

    @Test("behaviour 30: an unknown kind of ride offers those that fit")
    func unknownOptionOffersThoseThatFit() async throws {
        let fixture = try RidesFixture.make()
        let all = [RidesFixture.economy, RidesFixture.comfort, RidesFixture.van]
        #expect(
            try await fixture.resolve(self.intent, "rideOptionName", ["rideOptionName": "helicopter"])
                == .choosing(among: all)
        )
        let six: JSONObject = ["rideOptionName": "helicopter", "partySize": 6]
        #expect(try await fixture.resolve(self.intent, "rideOptionName", six) == .choosing(among: [RidesFixture.van]))
    }

    @Test(
        "A party is at most as large as the largest vehicle",
        arguments: [(0, false), (1, true), (6, true), (7, false), (-2, false)]
    )
    func partyFitsLargestVehicle(size: Int, isPossible: Bool) async throws {
        let fixture = try RidesFixture.make()
        let outcome = try await fixture.resolve(self.intent, "partySize", ["partySize": size.json])
        #expect(outcome == (isPossible ? .success(size.json) : .unsupported(nil)))
        #expect(try await fixture.resolve(self.intent, "partySize", [:]) == .notRequired)
    }

    @Test(
        "A scheduled pickup is in the future; for a date without a time the time is asked for",
        arguments: [
            (["start": "2026-11-21T12:31:00Z"], "success"), (["end": "2026-11-22T08:00:00+01:00"], "success"),
            (["start": "2027-11-21T12:31:00Z"], "success"), (["start": "2026-11-21T12:29:00Z"], "unsupported"),
            (["start": "2026-11-22T10:00:00Z", "end": "2026-11-22T09:00:00Z"], "unsupported"),
            (["start": "2026-11-23"], "needsValue"), (nil, "notRequired"),
        ] as [(JSONValue?, String)]
    )
    func scheduledPickupIsInFuture(time: JSONValue?, expected: String) async throws {
        let fixture = try RidesFixture.make()
        let parameters: JSONObject = time.map { ["scheduledPickupTime": $0] } ?? [:]
        let outcome = try await fixture.resolve(self.intent, "scheduledPickupTime", parameters)
        let name =
            switch outcome {
            case .success(let value)?: value == time ? "success" : "changed"
            case .notRequired?: "notRequired"
            case .needsValue?: "needsValue"
            case .unsupported?: "unsupported"
            case .disambiguation?, .confirmationRequired?, .saying?, .ending?, nil: "something else"
            }
        #expect(name == expected)
    }

    @Test("Parameters, codes and phases are SiriKit's")
    func catalogIsSiriKits() throws {
        let fixture = try RidesFixture.make()
        let expected: [(String, [String], Set<String>)] = [
            (
                "INListRideOptionsIntent", ["pickupLocation", "dropOffLocation"],
                [
                    "inProgress", "failureRequiringAppLaunch", "failureRequiringAppLaunchMustVerifyCredentials",
                    "failureRequiringAppLaunchNoServiceInArea",
                    "failureRequiringAppLaunchServiceTemporarilyUnavailable",
                    "failureRequiringAppLaunchPreviousRideNeedsCompletion", "failurePreviousRideNeedsFeedback",
                ]
            ),
            (
                "INRequestRideIntent",
                [
                    "pickupLocation", "dropOffLocation", "rideOptionName", "partySize", "paymentMethod",
                    "scheduledPickupTime",
                ],
                [
                    "inProgress", "failureRequiringAppLaunch", "failureRequiringAppLaunchMustVerifyCredentials",
                    "failureRequiringAppLaunchNoServiceInArea",
                    "failureRequiringAppLaunchServiceTemporarilyUnavailable",
                    "failureRequiringAppLaunchPreviousRideNeedsCompletion",
                    "failureRequiringAppLaunchRideScheduledTooFar",
                ]
            ),
            (
                "INGetRideStatusIntent", [],
                [
                    "inProgress", "failureRequiringAppLaunch", "failureRequiringAppLaunchMustVerifyCredentials",
                    "failureRequiringAppLaunchServiceTemporarilyUnavailable",
                ]
            ),
            ("INCancelRideIntent", ["rideIdentifier"], []),
            ("INSendRideFeedbackIntent", ["rideIdentifier", "rating", "tip"], []),
        ]
        for (name, parameters, codes) in expected {
            let registration = try fixture.registration(name)
            #expect(registration.parameters.map(\.name) == parameters)
            #expect(registration.codes == codes.union(["unspecified", "ready", "success", "failure"]))
        }
        #expect(
            INRidePhase.allCases.map(\.rawValue) == [
                "unknown", "received", "confirmed", "approachingPickup", "pickup", "ongoing", "completed",
            ]
        )
        #expect(INRideFeedbackTypeOptions(json: ["rate", "tip"]) == [.rate, .tip])
        #expect(INRideFeedbackTypeOptions.tip.rawValue == 2)
    }
}
