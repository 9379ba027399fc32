import IntentKit
import Testing

@Suite("R19: the outcomes of resolving")
struct ResolutionTests {
    enum Reason: Int, UnsupportedReason {
        case tooFar = 7
    }

    @Test("Each result has its outcome")
    func eachResultHasItsOutcome() {
        typealias Result = ParameterResolution<INPerson, Reason>
        let diana = INPerson(spokenPhrase: "Diana")
        let reason = ReasonDescription(code: 7, name: "tooFar")
        let option = ParameterOption(diana.json)
        #expect(Result.success(with: diana).outcome == .success(diana.json))
        #expect(Result.notRequired().outcome == .notRequired)
        #expect(Result.needsValue().outcome == .needsValue)
        #expect(Result.disambiguation(with: [diana, diana]).outcome == .choosing(among: [diana.json, diana.json]))
        #expect(Result.confirmationRequired(with: diana).outcome == .confirmationRequired(option, nil))
        #expect(Result.unsupported().outcome == .unsupported(nil))
        #expect(Result.unsupported(forReason: .tooFar).outcome == .unsupported(reason))
        let confirmation = Result.confirmationRequired(with: diana, forReason: .tooFar)
        #expect(confirmation.outcome == .confirmationRequired(option, reason))
    }

    @Test("R21: a choice of several stays one, of one becomes a confirmation, of none a refusal (behaviour 17)")
    func normalizesChoicesByCount() {
        #expect(ResolutionOutcome.disambiguation([]).normalized == .unsupported(nil))
        #expect(ResolutionOutcome.disambiguation(["a"]).normalized == .confirmationRequired("a", nil))
        let others: [ResolutionOutcome] = [
            .success("a"), .notRequired, .needsValue, .disambiguation(["a", "b"]), .confirmationRequired("a", nil),
            .unsupported(nil),
        ]
        for outcome in others { #expect(outcome.normalized == outcome) }
        let known = ParameterOption("p-7", display: "Bello")
        #expect(ResolutionOutcome.disambiguation([known]).normalized == .confirmationRequired(known, nil))
    }

    @Test("A missing value is asked for if it is required, and not required otherwise (behaviours 19 and 32)")
    func missingValueIsAskedForIfRequired() {
        func outcome(_ value: JSONValue?, isRequired: Bool) -> ParameterOutcome {
            .judging(value, isList: false, isRequired: isRequired) { .success($0) }
        }
        #expect(outcome(nil, isRequired: true) == .single(.needsValue))
        #expect(outcome(nil, isRequired: false) == .single(.notRequired))
        #expect(outcome("a", isRequired: false) == .single(.success("a")))
    }

    @Test("A reason has a code and a name on the wire")
    func reasonHasCodeAndName() {
        let reason = ReasonDescription(Reason.tooFar)
        #expect(reason.json == ["code": 7, "name": "tooFar"])
        #expect(ReasonDescription(json: reason.json) == reason)
        #expect(ReasonDescription(json: ["code": 7]) == nil)
        #expect(NoReason.allCases.isEmpty)
    }

    private func common<Value: ParameterValue>(
        _ value: Value,
        _ type: ParameterResolution<Value, NoReason>.Type
    ) -> [ResolutionOutcome] {
        [type.needsValue().outcome, type.notRequired().outcome, type.unsupported().outcome]
    }

    private func choosing<Value: ParameterValue>(
        _ values: [Value],
        _ type: ParameterResolution<Value, NoReason>.Type
    ) -> ResolutionOutcome {
        type.disambiguation(with: values).outcome
    }

    @Test("Every type offers needsValue, notRequired and unsupported; typed results offer more (behaviour 23)")
    func everyTypeOffersTheCommonResults() throws {
        let everywhere: [ResolutionOutcome] = [.needsValue, .notRequired, .unsupported(nil)]
        let place = Placemark(name: "Home")
        #expect(self.common("", INStringResolutionResult.self) == everywhere)
        #expect(self.common(true, INBooleanResolutionResult.self) == everywhere)
        #expect(self.common(1, INIntegerResolutionResult.self) == everywhere)
        #expect(self.common(1.5, INDoubleResolutionResult.self) == everywhere)
        #expect(self.common(place, INPlacemarkResolutionResult.self) == everywhere)
        #expect(self.common(INPerson(spokenPhrase: "Jo"), INPersonResolutionResult.self) == everywhere)
        #expect(self.choosing(["a", "b"], INStringResolutionResult.self) == .disambiguation(["a", "b"]))
        let places = [place, Placemark(name: "Work")]
        #expect(self.choosing(places, INPlacemarkResolutionResult.self) == .choosing(among: places.map(\.json)))
    }
}
