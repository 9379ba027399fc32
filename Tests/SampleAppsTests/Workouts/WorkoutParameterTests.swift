import Foundation
import IntentKit
import SampleApps
import SiriKitIntents
import Testing

@Suite("Parameters of a workout")
struct WorkoutParameterTests {
    static let run: JSONValue = ["spokenPhrase": "Run", "identifier": "run"]
    static let swim: JSONValue = ["spokenPhrase": "Swim", "identifier": "swim"]
    static let walk: JSONValue = ["spokenPhrase": "Walk", "identifier": "walk"]

    private func resolve(_ parameter: String, _ parameters: JSONObject) async throws -> ResolutionOutcome? {
        try await DomainFixture(WorkoutsExtension.make()).resolve("INStartWorkoutIntent", parameter, parameters)
    }

    @Test(
        "behaviour 30: an unknown name offers the whole allowed set",
        arguments: ["yoga", "sets of bench press"]
    )
    func unknownNameOffersAllWorkouts(name: String) async throws {
        let outcome = try await self.resolve("workoutName", ["workoutName": .string(name)])
        #expect(outcome == .choosing(among: [Self.walk, Self.run, Self.swim]))
    }

    @Test(
        "Walk, run and swim are found by name, in other forms, and by identifier once one was chosen",
        arguments: [("RUN", Self.run), ("jogging", Self.run), ("a walk", Self.walk), ("Swimming", Self.swim)]
    )
    func findsWorkoutByNameFormOrIdentifier(said: String, expected: JSONValue) async throws {
        #expect(try await self.resolve("workoutName", ["workoutName": .string(said)]) == .success(expected))
        #expect(try await self.resolve("workoutName", ["workoutName": expected]) == .success(expected))
    }

    @Test(
        "behaviour 19: without a name the user is asked",
        arguments: [[:], ["workoutName": " "]] as [JSONObject]
    )
    func asksForMissingName(parameters: JSONObject) async throws {
        #expect(try await self.resolve("workoutName", parameters) == .needsValue)
    }

    @Test("behaviours 70 and 74: the user's own names for workouts come first")
    func vocabularyComesFirst() async throws {
        var fixture = try DomainFixture(WorkoutsExtension.make())
        fixture.vocabularies[.workoutActivityName] = [
            VocabularyEntry(spokenPhrase: "swim", vocabularyIdentifier: "run"),
            VocabularyEntry(spokenPhrase: "rounds", vocabularyIdentifier: "walk"),
            VocabularyEntry(
                spokenPhrase: "morning round",
                pronunciationHint: "mourning round",
                vocabularyIdentifier: "walk"
            ),
            VocabularyEntry(spokenPhrase: "deadlift", vocabularyIdentifier: "sets"),
        ]
        let expected: [(String, ResolutionOutcome)] = [
            ("Rounds", .success(Self.walk)), ("mourning round", .success(Self.walk)), ("swim", .success(Self.run)),
            ("run", .success(Self.run)), ("deadlift", .choosing(among: [Self.walk, Self.run, Self.swim])),
        ]
        for (said, outcome) in expected {
            let found = try await fixture.resolve("INStartWorkoutIntent", "workoutName", ["workoutName": .string(said)])
            #expect(found == outcome, "\(said)")
        }
    }

    @Test(
        "behaviours 73 and 80: words that all users share are found by the parameter's path, after the user's own"
    )
    func sharedVocabularyFollowsUsersOwn() async throws {
        var fixture = try DomainFixture(WorkoutsExtension.make())
        let laps = VocabularyTerm(
            identifier: "swim",
            phrases: [.init("Laps", pronunciation: "lapps"), .init("lengths")]
        )
        fixture.globalVocabularies = GlobalVocabularies([
            GlobalVocabulary(locale: "en", digest: "1", terms: ["INStartWorkoutIntent.workoutName": [laps]])
        ])
        let start = "INStartWorkoutIntent"
        for said in ["laps", "lapps", "Lengths"] {
            let found = try await fixture.resolve(start, "workoutName", ["workoutName": .string(said)])
            #expect(found == .success(Self.swim), "\(said)")
        }
        fixture.vocabularies[.workoutActivityName] = [
            VocabularyEntry(spokenPhrase: "laps", vocabularyIdentifier: "run")
        ]
        #expect(try await fixture.resolve(start, "workoutName", ["workoutName": "laps"]) == .success(Self.run))
        // The terms apply to starting a workout, and to no other intent.
        fixture.vocabularies = [:]
        _ = try await fixture.handle(start, ["workoutName": Self.swim])
        try await fixture.appResponds("success", to: start)
        let end = try await fixture.confirm("INEndWorkoutIntent", ["workoutName": "laps"])
        #expect(end.code == "failureNoMatchingWorkout")
    }

    @Test("behaviours 16 and 22: an open workout takes no goal, and is not asked for one")
    func openWorkoutNeedsNoGoal() async throws {
        let open: JSONObject = [
            "workoutName": Self.run, "isOpenEnded": true, "goalValue": 5, "workoutGoalUnitType": "mile",
        ]
        #expect(try await self.resolve("goalValue", open) == .notRequired)
        #expect(try await self.resolve("workoutGoalUnitType", open) == .notRequired)
        #expect(try await self.resolve("isOpenEnded", open) == .success(true))
        for parameter in ["goalValue", "workoutGoalUnitType", "isOpenEnded", "workoutLocationType"] {
            #expect(try await self.resolve(parameter, ["workoutName": Self.run]) == .notRequired, "\(parameter)")
        }
    }

    @Test("behaviour 21: half a goal conflicts with the other half; the rest is asked for")
    func halfGoalAsksForOtherHalf() async throws {
        #expect(try await self.resolve("goalValue", ["workoutGoalUnitType": "mile"]) == .needsValue)
        #expect(try await self.resolve("goalValue", ["isOpenEnded": false]) == .needsValue)
        #expect(try await self.resolve("workoutGoalUnitType", ["isOpenEnded": false]) == .needsValue)
        let twenty: JSONObject = ["workoutName": Self.run, "goalValue": 20]
        #expect(try await self.resolve("goalValue", twenty) == .success(20.0))
        #expect(try await self.resolve("workoutGoalUnitType", twenty) == .needsValue)
        #expect(
            try await self.resolve("workoutGoalUnitType", ["goalValue": 20, "workoutGoalUnitType": "unknown"])
                == .needsValue
        )
    }

    @Test(
        "behaviour 21: a goal conflicts with the kind of workout and its unit",
        arguments: [
            ("run", 200, "meter", true), ("run", 200, "mile", false), ("run", 100, "mile", true),
            ("swim", 100, "mile", false), ("walk", 24, "hour", true), ("walk", 25, "hour", false),
            ("run", 10_000, "kiloCalorie", true), ("run", 10_001, "kiloCalorie", false), ("run", 0, "mile", false),
            ("run", -1, "minute", false),
        ]
    )
    func refusesGoalOutsideBoundsOfUnit(name: String, value: Int, unit: String, isPossible: Bool) async throws {
        let parameters: JSONObject = [
            "workoutName": .string(name), "goalValue": .integer(Int64(value)), "workoutGoalUnitType": .string(unit),
        ]
        let outcome = try await self.resolve("goalValue", parameters)
        #expect(outcome == (isPossible ? .success(.number(Double(value))) : .unsupported(nil)))
    }

    @Test(
        "behaviour 21: a unit that does not apply to that kind of workout",
        arguments: [
            ("run", "inch", false), ("run", "joule", true), ("swim", "kiloCalorie", false), ("swim", "yard", true),
            ("yoga", "minute", true), ("yoga", "inch", false),
        ]
    )
    func refusesUnitOfOtherWorkout(name: String, unit: String, isPossible: Bool) async throws {
        let parameters: JSONObject = [
            "workoutName": .string(name), "goalValue": 1, "workoutGoalUnitType": .string(unit),
        ]
        let outcome = try await self.resolve("workoutGoalUnitType", parameters)
        #expect(outcome == (isPossible ? .success(.string(unit)) : .unsupported(nil)))
    }

    @Test("behaviours 15 and 36: a goal without a unit is in the user's last unit, if that applies")
    func missingUnitIsLastOne() async throws {
        var fixture = try DomainFixture(WorkoutsExtension.make())
        let twenty: JSONObject = ["workoutName": Self.run, "goalValue": 20]
        for (index, unit) in ["mile", "minute"].enumerated() {
            let id = "i\(index)"
            fixture.now += 60
            var goal = twenty
            goal["workoutGoalUnitType"] = .string(unit)
            _ = try await fixture.handle("INStartWorkoutIntent", goal, interaction: id)
            try await fixture.appResponds("success", to: "INStartWorkoutIntent", interaction: id)
            _ = try await fixture.handle("INEndWorkoutIntent", interaction: "\(id)e")
            try await fixture.appResponds("success", to: "INEndWorkoutIntent", interaction: "\(id)e")
        }
        let start = "INStartWorkoutIntent"
        #expect(try await fixture.resolve(start, "workoutGoalUnitType", twenty) == .success("minute"))
        var swim = twenty
        swim["workoutName"] = Self.swim
        #expect(try await fixture.resolve(start, "workoutGoalUnitType", swim) == .needsValue, "no habit in water")
        var tooMuch = twenty
        tooMuch["goalValue"] = 5_000
        #expect(try await fixture.resolve(start, "workoutGoalUnitType", tooMuch) == .needsValue, "83 hours are none")
        fixture.user.id = "u2"
        #expect(try await fixture.resolve(start, "workoutGoalUnitType", twenty) == .needsValue, "somebody else's")
    }

    @Test("A given location is kept")
    func locationIsKept() async throws {
        #expect(try await self.resolve("workoutLocationType", ["workoutLocationType": "indoor"]) == .success("indoor"))
        #expect(try await self.resolve("workoutLocationType", ["workoutLocationType": "unknown"]) == .notRequired)
    }

    @Test("behaviour 60: stopping has nothing to resolve")
    func stoppingResolvesNothing() async throws {
        let fixture = try DomainFixture(WorkoutsExtension.make())
        for verb in ["Pause", "Resume", "End", "Cancel"] {
            let intent = "IN\(verb)WorkoutIntent"
            #expect(try await fixture.resolve(intent, "workoutName", [:]) == nil, "\(intent)")
            #expect(try await fixture.resolve(intent, "workoutName", ["workoutName": "yoga"]) == nil, "\(intent)")
        }
    }

    @Test("behaviour 73: parameters are named by path; codes and parameters are SiriKit's")
    func parametersAndCodesAreSiriKits() throws {
        let fixture = try DomainFixture(WorkoutsExtension.make())
        let start = try fixture.registration("INStartWorkoutIntent")
        #expect(
            start.parameters.map { "\(start.intentName).\($0.name)" } == [
                "INStartWorkoutIntent.workoutName", "INStartWorkoutIntent.goalValue",
                "INStartWorkoutIntent.workoutGoalUnitType", "INStartWorkoutIntent.workoutLocationType",
                "INStartWorkoutIntent.isOpenEnded",
            ]
        )
        #expect(
            start.codes == [
                "unspecified", "ready", "continueInApp", "failure", "failureRequiringAppLaunch",
                "failureOngoingWorkout",
                "failureNoMatchingWorkout", "handleInApp", "success",
            ]
        )
        #expect(start.appOnlyCodes == ["success"])
        for verb in ["Pause", "Resume", "End", "Cancel"] {
            let change = try fixture.registration("IN\(verb)WorkoutIntent")
            #expect(change.parameters.map(\.name) == ["workoutName"])
            #expect(change.codes == start.codes.subtracting(["failureOngoingWorkout"]))
            #expect(change.appOnlyCodes == ["success"])
        }
        #expect(
            INWorkoutGoalUnitType.allCases.map(\.rawValue) == [
                "unknown", "inch", "meter", "foot", "mile", "yard", "second", "minute", "hour", "joule", "kiloCalorie",
            ]
        )
        #expect(INWorkoutLocationType.allCases.map(\.rawValue) == ["unknown", "outdoor", "indoor"])
    }
}
