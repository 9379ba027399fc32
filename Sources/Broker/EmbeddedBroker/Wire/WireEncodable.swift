/// A part of a message that can be written to the wire.
protocol WireEncodable: Sendable {
    /// The approximate number of bytes that it holds in memory, beyond what grows with the request that it answers.
    var weight: Int { get }

    /// Writes the fields in the order of the protocol.
    func write(to writer: inout WireWriter, version: Int16)
}

extension WireEncodable {
    /// Most messages are small, or as large as the request that they answer.
    var weight: Int { 512 }
}
