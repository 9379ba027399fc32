@testable import IntentGateway

extension GatewayError {
    /// The code with which the body is refused; nil where it is not.
    static func code(_ body: () async throws -> Void) async -> Code? {
        do {
            try await body()
            return nil
        } catch {
            return (error as? GatewayError)?.code ?? .internalError
        }
    }
}
