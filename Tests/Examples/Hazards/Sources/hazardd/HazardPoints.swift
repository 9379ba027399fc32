import Foundation
import IntentKit

/// The points of an interaction at which its process can be killed.
///
/// The folder that the variable `HAZARD_DIRECTORY` names has the files of each interaction: `<id>.kill` names the point,
/// and becomes `<id>.killed` just before; `<id>.points` lists the points that were reached, and `<id>.closures` the
/// closures that have begun. Without the variable, nothing is written and nobody is killed.
struct HazardPoints: Sendable {
    private static let directory = ProcessInfo.processInfo.environment["HAZARD_DIRECTORY"]

    let interaction: String

    /// Kills the process if it is to be killed here and has not been before.
    func reach(_ point: String) {
        guard let path = self.path(to: "kill") else { return }
        self.append(point, to: "points")
        guard (try? String(contentsOfFile: path, encoding: .utf8)) == point, rename(path, path + "ed") == 0 else {
            return
        }
        kill(getpid(), SIGKILL)
    }

    /// Lists a closure that begins.
    func begin(_ closure: String) { self.append(closure, to: "closures") }

    private func path(to file: String) -> String? { Self.directory.map { "\($0)/\(self.interaction).\(file)" } }

    private func append(_ line: String, to name: String) {
        guard let path = self.path(to: name), let file = fopen(path, "a") else { return }
        fputs(line + "\n", file)
        fclose(file)
    }
}

/// Draws nothing: its call is a point after the last effect or undo of a turn, and before its commit.
struct HazardPresenter: IntentPresenter {
    func view(of interaction: PresentedInteraction, in presentation: Presentation) -> PresentedView? {
        if !interaction.handlingStatus.isDraft {
            HazardPoints(interaction: interaction.identifier).reach("before the response")
        }
        return nil
    }
}
