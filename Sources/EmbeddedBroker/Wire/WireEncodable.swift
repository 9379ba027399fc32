/// A part of a message that can be written to the wire.
protocol WireEncodable: Sendable {
    /// Writes the fields in the order of the protocol.
    func write(to writer: inout WireWriter, version: Int16)
}
