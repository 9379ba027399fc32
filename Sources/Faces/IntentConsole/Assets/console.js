// Everything can be read and done without this script; it brings pages up to date while they are open.
(() => {
  "use strict";
  const live = document.querySelector("[data-live]");
  if (live && "EventSource" in window) {
    const state = document.querySelector("[data-live-state]");
    const show = (text) => { if (state) state.textContent = text; };
    // What can have the focus, and what it is called: the same one is found again when the part was rebuilt.
    const stops = () => [...live.querySelectorAll("a[href], button, summary, [tabindex]")];
    const key = (one) => [one.tagName, one.closest("[id]").id]
      .concat(["href", "name", "value", "aria-label", "aria-labelledby"].map((name) => one.getAttribute(name))).join(" ");
    let source;
    let isDone = false;
    const begin = () => {
      source = new EventSource(live.dataset.live);
      const bring = (event) => {
        // Whoever types in it, or copies from it, is not disturbed.
        const active = document.activeElement ?? document.body;
        const has = (one) => live.contains(one);
        if (has(active) && active.matches("input, select, textarea")) return;
        const chosen = getSelection();
        const isChosen = !chosen.isCollapsed && has(chosen.anchorNode);
        // The last version comes only once.
        if (isChosen && event.type === "page") return show("Paused: text is selected");
        // What says the same stays as it is, frames with it.
        const made = document.createElement("template");
        made.innerHTML = event.data;
        if (made.innerHTML === live.innerHTML) return show("Live");
        const open = new Set([...live.querySelectorAll("details[open][id]")].map((one) => one.id));
        const focus = has(active) ? key(active) : null;
        const place = active.getBoundingClientRect();
        const isSeen = place.bottom > 0 && place.top < innerHeight;
        const scrolled = stops().filter((one) => one.scrollLeft || one.scrollTop)
          .map((one) => [key(one), one.scrollLeft, one.scrollTop]);
        live.replaceChildren(made.content);
        for (const id of open) document.getElementById(id)?.setAttribute("open", "");
        for (const [name, left, top] of scrolled) stops().find((one) => key(one) === name)?.scrollTo(left, top);
        if (focus) stops().find((one) => key(one) === focus)?.focus({ preventScroll: true });
        // The field below is not pushed out of the window by what is said above it.
        else if (active.matches("input") && isSeen) active.scrollIntoView({ block: "nearest" });
        show("Live");
      };
      const end = () => { isDone = true; source.close(); };
      source.addEventListener("page", bring);
      source.addEventListener("done", (event) => { end(); bring(event); });
      source.addEventListener("reload", () => { end(); location.reload(); });
      source.onerror = () => show(source.readyState === EventSource.CLOSED ? "Not live: reload" : "Connecting…");
    };
    begin();
    // Whoever is on the way to another page is not taken back to this one.
    addEventListener("beforeunload", () => source.close());
    document.addEventListener("visibilitychange", () => {
      if (isDone) return;
      if (document.hidden) { source.close(); show("Paused"); } else { begin(); }
    });
  }
  // "/" goes to the search, as people are used to.
  document.addEventListener("keydown", (event) => {
    if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.matches("input, select, textarea")) return;
    const search = document.querySelector("[data-search]");
    if (search) { event.preventDefault(); search.focus(); }
  });
  // The last word of a conversation is what people want to see.
  const say = document.querySelector("[data-say]");
  if (say) say.focus();
})();
