internal import Foundation

extension BrokerAddress {
    /// Whether a process listens there; meant for addresses of this machine, which answer at once.
    var isReachable: Bool {
        var hints = addrinfo()
        hints.ai_family = AF_UNSPEC
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var found: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(self.host, String(self.port), &hints, &found) == 0 else { return false }
        defer { freeaddrinfo(found) }
        var candidate = found
        while let address = candidate?.pointee {
            let descriptor = socket(address.ai_family, address.ai_socktype, address.ai_protocol)
            if descriptor >= 0 {
                defer { close(descriptor) }
                if connect(descriptor, address.ai_addr, address.ai_addrlen) == 0 { return true }
            }
            candidate = address.ai_next
        }
        return false
    }
}
