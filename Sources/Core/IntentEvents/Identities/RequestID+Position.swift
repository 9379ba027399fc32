extension RequestID {
    /// Whether it has the form of a request's position, `partition:offset`.
    package var isPosition: Bool {
        let parts = self.text.split(separator: ":", omittingEmptySubsequences: false)
        return parts.count == 2 && parts.allSatisfy { Int64($0).map { $0 >= 0 } ?? false }
    }
}
