/// An intent's name and values as they are now, on the wire and in the state.
public struct IntentSnapshot: Hashable, Sendable, JSONWritable, JSONReadable {
    public var name: String
    /// The values by parameter.
    public var parameters: JSONObject

    public init(name: String, parameters: JSONObject = [:]) {
        self.name = name
        self.parameters = parameters
    }

    /// The wire form.
    package func write(to text: inout JSONText) {
        text.beginObject()
        text.member("name", self.name)
        text.name("parameters")
        text.object(self.parameters)
        text.endObject()
    }

    /// Reads the wire form; nil without a name.
    package init?(_ json: JSONView) {
        guard let name = json["name"]?.string else { return nil }
        self.init(name: name, parameters: json["parameters"]?.value.object ?? [:])
    }
}
