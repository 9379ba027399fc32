import LibCurl

extension Monitor {
    /// The content of ``ready``, in lines.
    func healthLines() async -> [String] {
        guard let page = await self.pages["/readyz"]?() else { return [] }
        return page.text.split(separator: "\n").dropFirst().map(String.init)
    }
}

/// What processes report about themselves over HTTP.
enum ConsoleHealth {
    /// Requests `/readyz` from these processes, one after the other.
    static func lines(of addresses: [BrokerAddress]) async -> [String] {
        var lines: [String] = []
        for address in addresses {
            let name = addresses.count > 1 ? " \(address)" : ""
            do {
                let request = HTTPRequest(
                    nil,
                    to: "http://\(address)/readyz",
                    timeout: .seconds(3),
                    maximumBytes: 1 << 20
                )
                let reply = try await HTTPSession.shared.reply(to: request)
                lines += reply.body.split(separator: UInt8(ascii: "\n")).dropFirst()
                    .map { line in
                        let text = SafeText.line(Array(line))
                        guard let colon = text.firstIndex(of: ":") else { return text }
                        return "\(text[..<colon]):\(name)\(text[text.index(after: colon)...])"
                    }
            } catch {
                lines.append("NOT OK:\(name.isEmpty ? " \(address)" : name) does not say how it is: \(error)")
            }
        }
        return lines
    }
}
