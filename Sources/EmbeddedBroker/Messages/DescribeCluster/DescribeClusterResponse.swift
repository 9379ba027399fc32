/// DescribeCluster response (API 60), versions 0 to 1.
struct DescribeClusterResponse: Sendable, WireEncodable {
    /// `ThrottleTimeMs`, all versions.
    var throttleTimeMs: Int32 = 0
    /// `ErrorCode`, all versions.
    var errorCode: ErrorCode = .none
    /// `ErrorMessage`, all versions.
    var errorMessage: String? = nil
    /// `EndpointType`, from version 1.
    var endpointType: Int8 = 1
    /// `ClusterId`, all versions.
    var clusterID: String = ""
    /// `ControllerId`, all versions.
    var controllerID: Int32 = -1
    /// `Brokers`, all versions.
    var brokers: [Broker] = []
    /// `ClusterAuthorizedOperations`, all versions.
    var clusterAuthorizedOperations: Int32 = .min

    /// One element of `Brokers`.
    struct Broker: Sendable, WireEncodable {
        /// `BrokerId`, all versions.
        var brokerID: Int32 = 0
        /// `Host`, all versions.
        var host: String = ""
        /// `Port`, all versions.
        var port: Int32 = 0
        /// `Rack`, all versions.
        var rack: String? = nil
    }
}

extension DescribeClusterResponse {
    /// Writes the fields in the order of the protocol.
    func write(to writer: inout WireWriter, version: Int16) {
        writer.write(self.throttleTimeMs)
        writer.write(self.errorCode)
        writer.write(self.errorMessage)
        if version >= 1 { writer.write(self.endpointType) }
        writer.write(self.clusterID)
        writer.write(self.controllerID)
        writer.array(self.brokers, version: version)
        writer.write(self.clusterAuthorizedOperations)
        writer.tags()
    }
}

extension DescribeClusterResponse.Broker {
    /// Writes the fields in the order of the protocol.
    func write(to writer: inout WireWriter, version: Int16) {
        writer.write(self.brokerID)
        writer.write(self.host)
        writer.write(self.port)
        writer.write(self.rack)
        writer.tags()
    }
}
