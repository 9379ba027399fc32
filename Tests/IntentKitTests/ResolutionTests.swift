import IntentKit
import Testing

@Suite("R19: the outcomes of resolving")
struct ResolutionTests {
    enum Reason: Int, UnsupportedReason {
        case tooFar = 7
    }

    @Test("Each answer is its outcome")
    func answers() {
        typealias Result = ParameterResolution<INPerson, Reason>
        let diana = INPerson(spokenPhrase: "Diana")
        let reason = ReasonDescription(code: 7, name: "tooFar")
        #expect(Result.success(with: diana).outcome == .success(diana.json))
        #expect(Result.notRequired().outcome == .notRequired)
        #expect(Result.needsValue().outcome == .needsValue)
        #expect(Result.disambiguation(with: [diana, diana]).outcome == .disambiguation([diana.json, diana.json]))
        #expect(Result.confirmationRequired(with: diana).outcome == .confirmationRequired(diana.json, nil))
        #expect(Result.unsupported().outcome == .unsupported(nil))
        #expect(Result.unsupported(forReason: .tooFar).outcome == .unsupported(reason))
        let confirmation = Result.confirmationRequired(with: diana, forReason: .tooFar)
        #expect(confirmation.outcome == .confirmationRequired(diana.json, reason))
    }

    @Test("R21: a choice of one is a question, of none a refusal")
    func normalized() {
        #expect(ResolutionOutcome.disambiguation([]).normalized == .unsupported(nil))
        #expect(ResolutionOutcome.disambiguation(["a"]).normalized == .confirmationRequired("a", nil))
        let others: [ResolutionOutcome] = [
            .success("a"), .notRequired, .needsValue, .disambiguation(["a", "b"]), .confirmationRequired("a", nil),
            .unsupported(nil),
        ]
        for outcome in others { #expect(outcome.normalized == outcome) }
    }

    @Test("A reason has a code and a name on the wire")
    func reasons() {
        let reason = ReasonDescription(Reason.tooFar)
        #expect(reason.json == ["code": 7, "name": "tooFar"])
        #expect(ReasonDescription(json: reason.json) == reason)
        #expect(ReasonDescription(json: ["code": 7]) == nil)
        #expect(NoReason.allCases.isEmpty)
    }
}
