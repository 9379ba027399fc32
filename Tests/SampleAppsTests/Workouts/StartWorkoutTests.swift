import Foundation
import IntentKit
import SampleApps
import SiriKitIntents
import Testing

@Suite("Starting a workout")
struct StartWorkoutTests {
    static let intent = "INStartWorkoutIntent"
    let run: JSONObject = [
        "workoutName": ["spokenPhrase": "Run", "identifier": "run"], "goalValue": 20, "workoutGoalUnitType": "minute",
        "workoutLocationType": "outdoor",
    ]

    @Test("behaviours 39, 44 and 45: ready with everything that the user may see; nothing is started or asked")
    func confirmShowsWorkoutWithoutStarting() async throws {
        let fixture = try DomainFixture(WorkoutsExtension.make())
        let response = try await fixture.confirm(Self.intent, self.run)
        #expect(response.code == "ready")
        #expect(!response.requiresUserConfirmation)
        #expect(response.details["workoutName"] == ["spokenPhrase": "Run", "identifier": "run"])
        #expect(response.details["goalValue"] == 20.0)
        #expect(response.details["workoutGoalUnitType"] == "minute")
        #expect(response.details["isOpenEnded"] == false)
        #expect(try fixture.store.query("SELECT * FROM workouts").isEmpty)
        #expect(try fixture.registration(Self.intent).effectiveConfirmation == .byHandler)
    }

    @Test(
        "behaviour 48: an incomplete workout is a failure",
        arguments: [
            [:], ["workoutName": "run", "goalValue": 5], ["workoutName": "run", "workoutGoalUnitType": "mile"],
            ["workoutName": "run", "isOpenEnded": false],
            ["workoutName": "swim", "goalValue": 5, "workoutGoalUnitType": "joule"],
            ["workoutName": "run", "goalValue": 5, "workoutGoalUnitType": "mile", "isOpenEnded": true],
        ] as [JSONObject]
    )
    func incompleteWorkoutFails(parameters: JSONObject) async throws {
        let fixture = try DomainFixture(WorkoutsExtension.make())
        for response in [
            try await fixture.confirm(Self.intent, parameters), try await fixture.handle(Self.intent, parameters),
        ] {
            #expect(response.code == "failure")
            #expect(response.details["error"] == "incomplete")
        }
        #expect(try fixture.store.query("SELECT * FROM workouts").isEmpty)
    }

    @Test("An unknown workout")
    func failsForUnknownWorkout() async throws {
        let fixture = try DomainFixture(WorkoutsExtension.make())
        let response = try await fixture.confirm(Self.intent, ["workoutName": "yoga"])
        #expect(response.code == "failureNoMatchingWorkout")
        #expect(response.details["errorDescription"] == "There is no workout called yoga: walk, run or swim.")
    }

    @Test("The app has to be set up first, and gets the reason (behaviour 66)")
    func requiresSetUpOfApp() async throws {
        let fixture = try DomainFixture(WorkoutsExtension.make())
        try fixture.store.write { try WorkoutLog(of: "u1").setNeedsSetUp(true, in: $0) }
        let response = try await fixture.confirm(Self.intent, self.run)
        #expect(response.code == "failureRequiringAppLaunch")
        #expect(response.userActivity?.userInfo["error"] == "needsSetUp")
        try fixture.store.write { try WorkoutLog(of: "u1").setNeedsSetUp(false, in: $0) }
        #expect(try await fixture.confirm(Self.intent, self.run).code == "ready")
    }

    @Test(
        "behaviours 55 and 57: a new app starts the workout in the background; it is logged as requested until the app reports"
    )
    func newAppStartsInBackground() async throws {
        var fixture = try DomainFixture(WorkoutsExtension.make())
        fixture.device.appVersion = "1.10"
        let response = try await fixture.handle(Self.intent, self.run)
        #expect(response.code == "handleInApp")
        #expect(response.details["workoutIdentifier"] == "i1/id-1")
        #expect(response.userActivity?.activityType == nil, "behaviour 61: the default type")
        #expect(response.userActivity?.userInfo["workoutIdentifier"] == "i1/id-1")
        #expect(response.userActivity?.userInfo["goalValue"] == 20.0)
        let row = try #require(try fixture.store.query("SELECT * FROM workouts").first)
        #expect(row["state"] == "requested")
        #expect(row["started_at"] == .null)
        #expect(try await fixture.confirm(Self.intent, self.run).code == "ready", "none is under way yet")

        fixture.now += 3
        try await fixture.appResponds("success", to: Self.intent, self.run)
        let started = try #require(try fixture.store.query("SELECT * FROM workouts").first)
        #expect(started["state"] == "running")
        #expect(started["started_at"] == "2026-11-21T12:30:03.000Z")
        #expect(started["type"] == "run" && started["goal_value"] == 20.0 && started["goal_unit"] == "minute")
        #expect(started["location"] == "outdoor")
        let order = try #require(try fixture.store.query("SELECT * FROM workout_orders").first)
        #expect(order["code"] == "success" && order["order_name"] == "start" && order["interaction"] == "i1")
    }

    @Test(
        "behaviours 54, 56 and 62: an old app is opened for it, with its own activity",
        arguments: ["1.9", "1.10-beta.3", "nonsense"]
    )
    func oldAppIsOpenedWithActivity(version: String) async throws {
        var fixture = try DomainFixture(WorkoutsExtension.make())
        fixture.device.appVersion = version
        let response = try await fixture.handle(Self.intent, self.run)
        #expect(response.code == "continueInApp")
        #expect(response.userActivity?.activityType == "com.bignerdranch.bnrun.startWorkout")
        #expect(response.userActivity?.title == "Start Run")
        #expect(response.userActivity?.userInfo["workoutName"]?["identifier"] == "run")
        let row = try #require(try fixture.store.query("SELECT * FROM workouts").first)
        #expect(row["state"] == "running", "such an app never reports: it is in its hands")
        #expect(try fixture.store.query("SELECT code FROM workout_orders").first?["code"] == "continueInApp")
    }

    @Test("behaviour 59: a started workout blocks the next request: failureOngoingWorkout")
    func currentWorkoutBlocksNextOne() async throws {
        let fixture = try DomainFixture(WorkoutsExtension.make())
        _ = try await fixture.handle(Self.intent, self.run)
        try await fixture.appResponds("success", to: Self.intent, self.run)
        for response in [
            try await fixture.confirm(Self.intent, ["workoutName": "swim"]),
            try await fixture.handle(Self.intent, ["workoutName": "swim"], interaction: "i2"),
        ] {
            #expect(response.code == "failureOngoingWorkout")
            #expect(response.details["ongoingWorkout"]?["workoutName"]?["identifier"] == "run")
            #expect(response.userActivity?.userInfo["error"] == "ongoingWorkout")
        }
        #expect(try fixture.store.query("SELECT * FROM workouts").count == 1)
        var other = fixture
        other.user.id = "u2"
        #expect(try await other.confirm(Self.intent, self.run).code == "ready", "somebody else's run is no obstacle")
    }

    @Test(
        "A workout that the app refused does not block the next one",
        arguments: ["failure", "failureRequiringAppLaunch"]
    )
    func refusedWorkoutDoesNotBlock(code: String) async throws {
        let fixture = try DomainFixture(WorkoutsExtension.make())
        _ = try await fixture.handle(Self.intent, self.run)
        try await fixture.appResponds(code, to: Self.intent, self.run)
        #expect(try fixture.store.query("SELECT state FROM workouts").first?["state"] == "refused")
        #expect(try fixture.store.query("SELECT code FROM workout_orders").first?["code"] == .string(code))
        #expect(try await fixture.confirm(Self.intent, self.run).code == "ready")
    }

    @Test("The app's report is authoritative: what it starts ends the current workout, at the time that it gives")
    func appsReportEndsEarlierWorkout() async throws {
        let fixture = try DomainFixture(WorkoutsExtension.make())
        _ = try await fixture.handle(Self.intent, self.run, interaction: "i1")
        _ = try await fixture.handle(Self.intent, ["workoutName": "walk"], interaction: "i2")
        try await fixture.appResponds("success", ["date": "2026-11-21T12:00:00Z"], to: Self.intent, interaction: "i1")
        try await fixture.appResponds("success", ["date": "2026-11-21T12:10:00Z"], to: Self.intent, interaction: "i2")
        let rows = try fixture.store.query("SELECT * FROM workouts ORDER BY identifier")
        #expect(rows.map { $0["state"] } == ["ended", "running"])
        #expect(rows.first?["active_seconds"] == 600.0)
    }

    @Test("R30: repeating the turn logs nothing, and a repeated report changes nothing")
    func repeatedTurnAndReportChangeNothing() async throws {
        let fixture = try DomainFixture(WorkoutsExtension.make())
        let first = try await fixture.handle(Self.intent, self.run)
        #expect(try await fixture.handle(Self.intent, self.run) == first)
        try await fixture.appResponds("success", to: Self.intent, self.run)
        try await fixture.appResponds("failure", to: Self.intent, self.run)
        let rows = try fixture.store.query("SELECT state FROM workouts")
        #expect(rows == [["state": "running"]])
    }

    @Test("A report on a workout that the app was never given is ignored")
    func reportWithoutHandoverIsIgnored() async throws {
        let fixture = try DomainFixture(WorkoutsExtension.make())
        try await fixture.appResponds("success", to: Self.intent, self.run)
        #expect(try fixture.store.query("SELECT * FROM workouts").isEmpty)
    }
}
