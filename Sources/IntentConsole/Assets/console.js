// Everything can be read and done without this script; it brings pages up to date while they are open.
(() => {
  "use strict";
  const live = document.querySelector("[data-live]");
  if (live && "EventSource" in window) {
    const state = document.querySelector("[data-live-state]");
    const show = (text) => { if (state) state.textContent = text; };
    let source;
    let isDone = false;
    const begin = () => {
      source = new EventSource(live.dataset.live);
      const bring = (event) => {
        // Whoever reads or types in it is not disturbed.
        const active = document.activeElement;
        if (active && live.contains(active) && active.matches("input, select, textarea")) return;
        const open = new Set([...live.querySelectorAll("details[open][id]")].map((one) => one.id));
        const focus = active && live.contains(active) ? active.id : null;
        live.innerHTML = event.data;
        for (const id of open) document.getElementById(id)?.setAttribute("open", "");
        if (focus) document.getElementById(focus)?.focus();
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
