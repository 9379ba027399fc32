/// A part of a message that can be read from the wire.
protocol WireDecodable {
    /// Reads the fields in the order of the protocol.
    init(from reader: inout WireReader, version: Int16) throws(WireError)
}
