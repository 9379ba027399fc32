import Foundation
import IntentKit
import SiriKitIntents
import Testing

@Suite("Feedback about a ride")
struct RideFeedbackTests {
    private let intent = "INSendRideFeedbackIntent"

    private static func completed() async throws -> DomainFixture {
        var fixture = try await RidesFixture.withRide()
        fixture.now = try RidesFixture.moment("arrival_at", in: fixture)
        return fixture
    }

    @Test("Stars are kept, and a tip is paid")
    func keepsStarsAndPaysTip() async throws {
        let fixture = try await Self.completed()
        let feedback: JSONObject = [
            "rideIdentifier": "ride/id-1", "rating": 4, "tip": ["amount": "1.50", "currencyCode": "EUR"],
        ]
        #expect(try await fixture.confirm(self.intent, feedback).code == "ready")
        let response = try await fixture.handle(self.intent, feedback, interaction: "f")
        #expect(response.code == "success")
        #expect(response.details["rating"] == 4)
        #expect(response.details["tip"]?["amount"] == "1.50")
        #expect(response.details["rideStatus"]?["completionStatus"]?["paymentAmount"]?["amount"] == "6.59")
        #expect(response.details["rideStatus"]?["completionStatus"]?["isOutstanding"] == false)
        let row = try #require(try fixture.store.query("SELECT * FROM rides").first)
        #expect(row["rating"] == 4 && row["tip"] == 150)
    }

    @Test("behaviour 45: a tip is confirmed, stars alone are not")
    func onlyTipIsConfirmed() async throws {
        let fixture = try await Self.completed()
        #expect(try await !fixture.confirm(self.intent, ["rating": 5]).requiresUserConfirmation)
        let tip: JSONObject = ["tip": ["amount": "1", "currencyCode": "EUR"]]
        #expect(try await fixture.confirm(self.intent, tip).requiresUserConfirmation)
    }

    @Test(
        "behaviours 20 and 48: invalid feedback about a ride is refused",
        arguments: [
            ([:], "incomplete"), (["rating": 0], "invalidRating"), (["rating": 6], "invalidRating"),
            (["tip": ["amount": "1.00", "currencyCode": "CHF"]], "invalidTip"),
            (["tip": ["amount": "5.10", "currencyCode": "EUR"]], "invalidTip"),
            (["tip": ["amount": "-1", "currencyCode": "EUR"]], "invalidTip"),
            (["tip": ["amount": "1.005", "currencyCode": "EUR"]], "invalidTip"),
            (["rating": 5, "rideIdentifier": "r2"], "noRide"),
        ] as [(JSONObject, String)]
    )
    func refusesInvalidFeedback(parameters: JSONObject, error: String) async throws {
        let fixture = try await Self.completed()
        for response in [
            try await fixture.confirm(self.intent, parameters), try await fixture.handle(self.intent, parameters),
        ] {
            #expect(response.code == "failure")
            #expect(response.details["error"] == .string(error))
        }
        #expect(try fixture.store.query("SELECT feedback_at FROM rides").first?["feedback_at"] == .null)
    }

    @Test("Feedback is accepted once, and only about completed rides")
    func acceptsFeedbackOnce() async throws {
        let fixture = try await Self.completed()
        _ = try await fixture.handle(self.intent, ["rating": 5], interaction: "f")
        #expect(try await fixture.confirm(self.intent, ["rating": 1]).details["error"] == "alreadyGiven")
        let early = try await RidesFixture.withRide()
        let named: JSONObject = ["rating": 5, "rideIdentifier": "ride/id-1"]
        #expect(try await early.confirm(self.intent, named).details["error"] == "notCompleted")
        #expect(try await early.confirm(self.intent, ["rating": 5]).details["error"] == "noRide")
        _ = try await early.handle("INCancelRideIntent", interaction: "c")
        #expect(try await early.confirm(self.intent, named).details["error"] == "notCompleted")
    }
}
