import Testing

@testable import IntentGateway

@Suite("Errors of the gateway")
struct GatewayErrorTests {
    @Test("Each code has a status that tells a client whether it is at fault", arguments: GatewayError.Code.allCases)
    func hasErrorStatus(code: GatewayError.Code) {
        #expect((400...599).contains(code.status))
    }
}
