package import WireRules

/// The description of a route in the OpenAPI document.
package struct APIOperation: Sendable {
    /// A parameter of the query, or a header; those of the path follow from the path.
    package struct Parameter: Sendable {
        package enum Location: String, Sendable {
            case path, query, header
        }

        package var location: Location
        package var name: String
        package var value: ValueRule
        package var summary: String

        package init(_ location: Location, _ name: String, _ value: ValueRule, _ summary: String) {
            self.location = location
            self.name = name
            self.value = value
            self.summary = summary
        }
    }

    /// A response that is no error.
    package struct Response: Sendable {
        package var status: Int
        package var summary: String
        /// The media type of the body.
        package var type: String
        package var body: ValueRule
        /// Headers with their meaning.
        package var headers: [(name: String, summary: String)]

        package init(
            _ status: Int,
            _ summary: String,
            type: String = "application/json",
            body: ValueRule = .any,
            headers: [(name: String, summary: String)] = []
        ) {
            self.status = status
            self.summary = summary
            self.type = type
            self.body = body
            self.headers = headers
        }
    }

    /// Its name in generated clients, in camel case.
    package var id: String
    package var summary: String
    package var parameters: [Parameter]
    /// The body of the request; nil for none.
    package var body: ObjectRule?
    package var responses: [Response]
    /// The errors besides those of every route.
    package var errors: [GatewayError.Code]

    package init(
        _ id: String,
        _ summary: String,
        parameters: [Parameter] = [],
        body: ObjectRule? = nil,
        responses: [Response],
        errors: [GatewayError.Code] = []
    ) {
        self.id = id
        self.summary = summary
        self.parameters = parameters
        self.body = body
        self.responses = responses
        self.errors = errors
    }
}
