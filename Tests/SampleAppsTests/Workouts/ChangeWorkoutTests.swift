import Foundation
import IntentKit
import SampleApps
import SiriKitIntents
import Testing

@Suite("Pausing, resuming, ending and cancelling a workout")
struct ChangeWorkoutTests {
    private static func running(_ name: String = "run") async throws -> DomainFixture {
        let fixture = try DomainFixture(WorkoutsExtension.make())
        _ = try await fixture.handle("INStartWorkoutIntent", ["workoutName": .string(name)], interaction: "start")
        try await fixture.appResponds("success", to: "INStartWorkoutIntent", interaction: "start")
        return fixture
    }

    /// Asks for a change, and makes the app perform it.
    private static func change(_ verb: String, _ fixture: DomainFixture) async throws -> HandlerResponse {
        let intent = "IN\(verb)WorkoutIntent"
        let response = try await fixture.handle(intent, interaction: "\(verb) \(fixture.now)")
        try await fixture.appResponds("success", to: intent, interaction: "\(verb) \(fixture.now)")
        return response
    }

    @Test("No workout is under way", arguments: ["Pause", "Resume", "End", "Cancel"])
    func failsWithoutCurrentWorkout(verb: String) async throws {
        let fixture = try DomainFixture(WorkoutsExtension.make())
        let intent = "IN\(verb)WorkoutIntent"
        for response in [try await fixture.confirm(intent), try await fixture.handle(intent)] {
            #expect(response.code == "failureNoMatchingWorkout")
            #expect(response.details["errorDescription"] == "No workout is under way.")
        }
        #expect(try fixture.store.query("SELECT * FROM workout_orders").isEmpty)
    }

    @Test("Another kind of workout is under way", arguments: ["Pause", "End", "Cancel"])
    func failsForOtherKindOfWorkout(verb: String) async throws {
        var fixture = try await Self.running("run")
        let intent = "IN\(verb)WorkoutIntent"
        let response = try await fixture.confirm(intent, ["workoutName": "swim"])
        #expect(response.code == "failureNoMatchingWorkout")
        #expect(response.details["errorDescription"] == "A run is under way, no swim.")
        #expect(try await fixture.confirm(intent, ["workoutName": "yoga"]).code == "failureNoMatchingWorkout")
        #expect(try await fixture.confirm(intent, ["workoutName": "jogging"]).code == "ready")
        fixture.vocabularies[.workoutActivityName] = [
            VocabularyEntry(spokenPhrase: "my round", vocabularyIdentifier: "run")
        ]
        #expect(try await fixture.confirm(intent, ["workoutName": "my round"]).code == "ready", "behaviour 74")
    }

    @Test("behaviour 60: changing a workout takes only confirm and handle; the log keeps its duration")
    func changesLoggedWorkoutUntilEnd() async throws {
        var fixture = try await Self.running()
        #expect(try await fixture.confirm("INResumeWorkoutIntent").code == "failureNoMatchingWorkout", "it runs")
        fixture.now += 100
        #expect(try await fixture.confirm("INPauseWorkoutIntent").code == "ready")
        #expect(try await Self.change("Pause", fixture).code == "handleInApp")
        #expect(try await fixture.confirm("INPauseWorkoutIntent").code == "failureNoMatchingWorkout", "it rests")
        fixture.now += 1_000
        #expect(try await Self.change("Resume", fixture).code == "handleInApp")
        fixture.now += 20
        let response = try await Self.change("End", fixture)
        #expect(response.code == "handleInApp")
        #expect(response.details["workoutName"]?["identifier"] == "run")
        let row = try #require(try fixture.store.query("SELECT * FROM workouts").first)
        #expect(row["state"] == "ended")
        #expect(row["active_seconds"] == 120.0)
        #expect(row["ended_at"] == "2026-11-21T12:48:40.000Z")
        #expect(try await fixture.confirm("INEndWorkoutIntent").code == "failureNoMatchingWorkout")
        #expect(try await fixture.confirm("INStartWorkoutIntent", ["workoutName": "run"]).code == "ready")
        let orders = try fixture.store.query("SELECT order_name, code FROM workout_orders ORDER BY number")
        #expect(orders.map { $0["order_name"] } == ["start", "pause", "resume", "end"])
        #expect(orders.allSatisfy { $0["code"] == "success" })
    }

    @Test("A paused workout can be ended or cancelled", arguments: [("End", "ended"), ("Cancel", "canceled")])
    func pausedWorkoutCanEndOrCancel(verb: String, state: String) async throws {
        let fixture = try await Self.running()
        _ = try await Self.change("Pause", fixture)
        _ = try await Self.change(verb, fixture)
        #expect(try fixture.store.query("SELECT state FROM workouts").first?["state"] == .string(state))
    }

    @Test("A change that the app could not make is not logged", arguments: ["Pause", "End", "Cancel"])
    func refusedChangeIsNotLogged(verb: String) async throws {
        let fixture = try await Self.running()
        let intent = "IN\(verb)WorkoutIntent"
        _ = try await fixture.handle(intent)
        try await fixture.appResponds("failure", to: intent)
        #expect(try fixture.store.query("SELECT state FROM workouts").first?["state"] == "running")
    }

    @Test("The app has to be set up first", arguments: ["Pause", "Resume", "End", "Cancel"])
    func requiresSetUpOfApp(verb: String) async throws {
        let fixture = try await Self.running()
        try fixture.store.write { try WorkoutLog(of: "u1").setNeedsSetUp(true, in: $0) }
        let response = try await fixture.confirm("IN\(verb)WorkoutIntent")
        #expect(response.code == "failureRequiringAppLaunch")
    }

    @Test(
        "behaviour 56: an old app is opened for it and takes over",
        arguments: [("Pause", "paused"), ("End", "ended"), ("Cancel", "canceled")]
    )
    func oldAppIsOpenedAndTakesOver(verb: String, state: String) async throws {
        var fixture = try await Self.running()
        fixture.device.appVersion = "1.9"
        let response = try await fixture.handle("IN\(verb)WorkoutIntent")
        #expect(response.code == "continueInApp")
        #expect(response.userActivity?.activityType == "com.bignerdranch.bnrun.\(verb.lowercased())Workout")
        #expect(response.userActivity?.userInfo["workoutIdentifier"] == "start/id-1")
        #expect(try fixture.store.query("SELECT state FROM workouts").first?["state"] == .string(state))
    }

    @Test("behaviour 56: an old app resumes in the foreground, too")
    func oldAppResumesInForeground() async throws {
        var fixture = try await Self.running()
        _ = try await Self.change("Pause", fixture)
        fixture.device.appVersion = "1.9"
        #expect(try await fixture.handle("INResumeWorkoutIntent").code == "continueInApp")
        #expect(try fixture.store.query("SELECT state FROM workouts").first?["state"] == "running")
    }

    @Test("A newer minimum version than BNRun's own can be set")
    func backgroundVersionCanBeRaised() async throws {
        var fixture = try DomainFixture(WorkoutsExtension.make(backgroundVersion: "3"))
        fixture.device.appVersion = "2.9.9"
        #expect(try await fixture.handle("INStartWorkoutIntent", ["workoutName": "run"]).code == "continueInApp")
    }
}
