internal import Foundation
internal import IntentEvents
package import IntentKit
internal import IntentOperations
internal import IntentRuntime
internal import LibCrypto

/// The page at which a user answers what nobody may answer for the user (R89).
///
/// It has no script: it is complete as it is sent, in every browser.
package struct ConfirmingPage: Sendable {
    /// What the buttons of the page do.
    enum Action: String {
        case accept, decline, cancel, unlock, signIn
    }

    private let words: ConfirmingWords

    package init(locale: String) { self.words = ConfirmingWords.of(locale: locale) }

    /// What a browser may do with the page: show it, and send its forms to the gateway.
    static let policy: String = {
        let hash = Data(SHA256.hash(Self.style.description)).base64EncodedString()
        return "default-src 'none'; style-src 'sha256-\(hash)'; form-action 'self'; frame-ancestors 'none'; "
            + "base-uri 'none'"
    }()

    /// The page of an interaction.
    ///
    /// - Parameters:
    ///   - snapshot: The interaction as its user sees it.
    ///   - secret: The value that shows that a form is this user's page (CSRF).
    /// - Returns: The page.
    package func html(of snapshot: InteractionSnapshot, secret: String) -> HTML {
        guard let prompt = snapshot.prompt, let kind = prompt["kind"]?.string.flatMap(PromptKind.init(rawValue:)) else {
            let said = snapshot.response?["dialog"]?.string ?? ""
            let isEnd = snapshot.state == .ended
            let news: HTML = "<h1>\(isEnd ? self.words.ended : self.words.running)</h1><p>\(said)</p>"
            return self.page(news, isRefreshed: !isEnd)
        }
        let hidden: HTML = """
            <input type="hidden" name="secret" value="\(secret)">\
            <input type="hidden" name="promptId" value="\(prompt["promptId"]?.string ?? "")">
            """
        let content: HTML = """
            <h1>\(prompt["dialog"]?.string ?? "")</h1>\(self.details(of: prompt))\
            <form method="post">\(hidden)\(self.fields(of: prompt, kind))\
            <button name="action" value="cancel">\(self.words.cancel)</button></form>
            """
        return self.page(content)
    }

    /// The page that asks for the user's token.
    package func signIn(_ problem: String?) -> HTML {
        let said: HTML = problem.map { "<p role=\"alert\">\($0)</p>" } ?? ""
        return self.page(
            """
            <h1>\(self.words.signIn)</h1>\(said)<form method="post">\
            <label>\(self.words.token) <input type="password" name="token" required autocomplete="off"></label>\
            <button>\(self.words.send)</button></form>
            """
        )
    }

    /// A page with a message.
    package func message(_ text: String) -> HTML { self.page("<h1>\(text)</h1>") }

    private func page(_ content: HTML, isRefreshed: Bool = false) -> HTML {
        let refresh: HTML = isRefreshed ? "<meta http-equiv=\"refresh\" content=\"2\">" : ""
        return """
            <!doctype html><html lang="\(self.words.language)"><meta charset="utf-8">\
            <meta name="viewport" content="width=device-width">\(refresh)<title>intentd</title>\
            <style>\(HTML(stringLiteral: Self.style))</style><main>\(content)</main></html>
            """
    }

    private static let style: StaticString = """
        body{font:1.1rem/1.5 system-ui,sans-serif;max-width:36rem;margin:3rem auto;padding:0 1rem}\
        h1{font-size:1.4rem}dt{font-weight:600}dd{margin:0 0 .5rem}button,input{font:inherit;padding:.4rem 1rem}\
        button{margin:.5rem .5rem 0 0}fieldset{border:0;padding:0}label{display:block}
        """

    /// What the user should see before saying yes: the values, and the details of the response.
    private func details(of prompt: JSONValue) -> HTML {
        var members = prompt["intent"]?["parameters"]?.object ?? [:]
        members.merge(prompt["response"]?.object ?? [:]) { _, shown in shown }
        let rows = members.filter { !$0.value.isNull }
            .map { name, value -> HTML in
                "<dt>\(IntentDocument.words(name))</dt><dd>\(AnswerWords.words(value))</dd>"
            }
        return rows.isEmpty ? "" : "<dl>\(rows)</dl>"
    }

    private func fields(of prompt: JSONValue, _ kind: PromptKind) -> HTML {
        let yes: HTML = "<button name=\"action\" value=\"accept\">\(self.words.yes)</button>"
        let no: HTML = "<button name=\"action\" value=\"decline\">\(self.words.no)</button>"
        switch kind {
        case .intentConfirmation, .confirmationRequired: return yes + no
        case .unlockRequired: return "<button name=\"action\" value=\"unlock\">\(self.words.unlock)</button>"
        case .authenticationRequired:
            return "<button name=\"action\" value=\"signIn\">\(self.words.signedIn)</button>"
        case .needsValue, .disambiguation, .unsupported: break
        }
        let choices = (PromptElicitation(prompt, of: nil)?.choices ?? []).enumerated()
            .map { index, title -> HTML in
                "<label><input type=\"radio\" name=\"choice\" value=\"\(index)\"> \(title)</label>"
            }
        let isHidden = prompt["accepts"]?["value"]?["sensitive"] == true
        let value: HTML = """
            <label>\(self.words.value) <input type="\(isHidden ? "password" : "text")" name="value" autocomplete="off">\
            </label>
            """
        return
            "<fieldset>\(choices)\(value)</fieldset><button name=\"action\" value=\"accept\">\(self.words.send)</button>"
            + no
    }
}

/// The words of the page in the user's language.
struct ConfirmingWords: Sendable {
    let language: String
    let yes, no, cancel, send, value, unlock, signedIn, signIn, token, running, ended, notFound, agent, stale: String

    /// The words of a language; English where there are none.
    static func of(locale: String) -> Self {
        let language = locale.prefix { $0 != "-" && $0 != "_" }.lowercased()
        return Self.all.first { $0.language == language } ?? Self.all[0]
    }

    private static let all = [
        Self(
            language: "en",
            yes: "Yes",
            no: "No",
            cancel: "Cancel",
            send: "Send",
            value: "Value:",
            unlock: "Continue on this device",
            signedIn: "I have signed in",
            signIn: "Sign in",
            token: "Your token:",
            running: "This is being done.",
            ended: "This has ended.",
            notFound: "There is no such request of yours.",
            agent: "This token belongs to an agent: only you can answer, with a token of your own.",
            stale: "This question is no longer open. Reload the page."
        ),
        Self(
            language: "de",
            yes: "Ja",
            no: "Nein",
            cancel: "Abbrechen",
            send: "Senden",
            value: "Wert:",
            unlock: "Auf diesem Gerät fortfahren",
            signedIn: "Ich habe mich angemeldet",
            signIn: "Anmelden",
            token: "Dein Token:",
            running: "Das wird gerade erledigt.",
            ended: "Das ist beendet.",
            notFound: "Eine solche Anfrage von dir gibt es nicht.",
            agent: "Dieses Token gehört einem Agenten: Nur du kannst antworten, mit einem eigenen Token.",
            stale: "Diese Frage ist nicht mehr offen. Lade die Seite neu."
        ),
        Self(
            language: "fr",
            yes: "Oui",
            no: "Non",
            cancel: "Annuler",
            send: "Envoyer",
            value: "Valeur :",
            unlock: "Continuer sur cet appareil",
            signedIn: "Je me suis connecté",
            signIn: "Se connecter",
            token: "Votre jeton :",
            running: "C’est en cours.",
            ended: "C’est terminé.",
            notFound: "Vous n’avez pas de telle demande.",
            agent: "Ce jeton appartient à un agent : vous seul pouvez répondre, avec votre propre jeton.",
            stale: "Cette question n’est plus ouverte. Rechargez la page."
        ),
        Self(
            language: "es",
            yes: "Sí",
            no: "No",
            cancel: "Cancelar",
            send: "Enviar",
            value: "Valor:",
            unlock: "Continuar en este dispositivo",
            signedIn: "He iniciado sesión",
            signIn: "Iniciar sesión",
            token: "Tu token:",
            running: "Esto está en curso.",
            ended: "Esto ha terminado.",
            notFound: "No tienes ninguna solicitud así.",
            agent: "Este token pertenece a un agente: solo tú puedes responder, con un token propio.",
            stale: "Esta pregunta ya no está abierta. Vuelve a cargar la página."
        ),
    ]
}
