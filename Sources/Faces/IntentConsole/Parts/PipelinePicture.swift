internal import IntentEvents
internal import IntentKit
internal import IntentOperations

/// The pipeline with the current flow through it.
struct PipelinePicture {
    /// The counts of the last minute.
    let minute: ActivitySeries.Step
    /// The groups; empty when they are not known, or not known to be current.
    let groups: [GroupCondition]
    /// The prefix of the groups' names.
    let prefix: String

    var html: HTML {
        let flows: [(from: Double, to: Double, count: Int, name: HTML)] = [
            (118, 218, self.minute.inbound, "requests"), (356, 436, self.minute.resolved, "resolved"),
            (574, 654, self.minute.confirmed, "confirmed"), (792, 882, self.minute.outbound, "responses"),
        ]
        let boxes: [(x: Double, stage: Stage)] = [(218, .resolve), (436, .confirm), (654, .handle)]
        return """
            <div class="scroll" tabindex="0" role="group" aria-label="Pipeline"><svg class="chart pipe" viewBox="0 34 1000 140" \
            role="img" aria-label="Clients, resolve, confirm, handle, and back: events per second over the last minute">\
            <rect class="box" x="8" y="42" width="110" height="60" rx="12"/><text class="name" x="63" y="69" \
            text-anchor="middle">Clients</text><text class="sub" x="63" y="87" text-anchor="middle">\
            \(Format.rate(Double(self.minute.requests) / 60)) requests/s</text>\
            \(flows.map { Self.flow($0.from, $0.to, $0.count, $0.name) })\(boxes.map { self.box($0.x, $0.stage) })\
            <rect class="box" x="882" y="42" width="110" height="60" rx="12"/><text class="name" x="937" y="69" \
            text-anchor="middle">Clients</text><text class="sub" x="937" y="87" text-anchor="middle">\
            \(Format.rate(Double(self.minute.ended) / 60)) completed/s</text>\
            <path class="wire" d="M287 102V154H412M505 102V138M723 102V154H598"/>\
            \(self.recorder)</svg></div>
            """
    }

    private static func flow(_ from: Double, _ to: Double, _ count: Int, _ name: HTML) -> HTML {
        let rate = Double(count) / 60
        let moving: HTML = count > 0 ? "<path class=\"moving\" d=\"M\(from + 4) 72H\(to - 10)\"/>" : ""
        return """
            <path class="wire" d="M\(from + 4) 72H\(to - 8)"/><path class="tip" d="M\(to - 2) 72l-8 -4v8z"/>\(moving)\
            <text class="flow" x="\((from + to) / 2)" y="60" text-anchor="middle">\(Format.rate(rate))/s</text>\
            <text class="sub" x="\((from + to) / 2)" y="91" text-anchor="middle">\(name)</text>
            """
    }

    private func box(_ x: Double, _ stage: Stage) -> HTML {
        let turns = self.minute.turns[stage.rawValue] ?? 0
        let (text, isLate) = self.lag(of: stage.role)
        let cssClass: HTML = isLate ? " late" : turns > 0 ? " busy" : ""
        let late: HTML = isLate ? " late" : ""
        return """
            <rect class="box\(cssClass)" x="\(x)" y="42" width="138" height="60" rx="12"/>\
            <text class="name" x="\(x + 69)" y="63" text-anchor="middle">\(stage.rawValue)</text>\
            <text class="sub" x="\(x + 69)" y="79" text-anchor="middle">\(Format.rate(Double(turns) / 60)) turns/s</text>\
            <text class="sub\(late)" x="\(x + 69)" y="94" text-anchor="middle">\(text)</text>
            """
    }

    private var recorder: HTML {
        let (text, isLate) = self.lag(of: .record)
        let late: HTML = isLate ? " late" : ""
        return """
            <rect class="box\(late)" x="412" y="138" width="186" height="32" rx="10"/><text class="name" x="430" y="158">record</text>\
            <text class="sub\(late)" x="580" y="158" text-anchor="end">\(text)</text>
            """
    }

    /// The lag of a role's group, and whether somebody should look at it: it is long, or nobody reads.
    private func lag(of role: WorkerRole) -> (text: HTML, isLate: Bool) {
        let group = role.group(prefix: self.prefix)
        guard let condition = self.groups.first(where: { $0.group == group }) else { return ("–", false) }
        if condition.hasNoConsumers { return ("no consumers", true) }
        return ("lag \(Format.count(condition.lag))", condition.lag >= Verdict.lateLag)
    }
}
