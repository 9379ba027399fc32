extension [String] {
    /// The names of effects that earlier turns and this one have called: an effect that both call was made once.
    func joined(to earlier: [String]) -> [String] { earlier + self.without(earlier) }

    /// The names without others, each taken away as often as it is there.
    func without(_ others: [String]) -> [String] {
        var left = others.reduce(into: [String: Int]()) { $0[$1, default: 0] += 1 }
        return self.filter { name in
            guard let count = left[name], count > 0 else { return true }
            left[name] = count - 1
            return false
        }
    }
}
