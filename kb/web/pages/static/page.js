// What pages have beside their text: suggestions, previews, keys, themes. All of it can be missing.
"use strict";
(() => {
  const root = document.body.dataset.root;
  const release = document.body.dataset.release;
  document.documentElement.classList.add("scripted");

  // light or dark
  const toggle = document.querySelector("[data-theme-toggle]");
  const system = matchMedia("(prefers-color-scheme: dark)");
  const isDark = () => (document.documentElement.dataset.theme ?? (system.matches ? "dark" : "light")) === "dark";
  const name = () => { toggle.textContent = isDark() ? "Light" : "Dark"; };
  const turn = () => {
    document.documentElement.dataset.theme = isDark() ? "light" : "dark";
    try { localStorage.setItem("theme", document.documentElement.dataset.theme); } catch { /* not kept */ }
    name();
  };
  toggle.hidden = false;
  name();
  toggle.addEventListener("click", turn);
  system.addEventListener("change", name);

  // the release switch needs no button
  document.querySelector("[data-switch] select")?.addEventListener("change", (event) => event.target.form.submit());

  // forms that take long say so
  for (const form of document.querySelectorAll("[data-waits]")) {
    form.addEventListener("submit", () => { form.querySelector("[data-status]").textContent = form.dataset.waits; });
  }

  // keys
  const keys = document.getElementById("keys");
  const opener = document.querySelector("[data-keys]");
  opener.hidden = false;
  opener.addEventListener("click", () => keys.showModal());
  const follow = (rel) => document.querySelector(`main a[rel="${rel}"], .where a[rel="${rel}"]`)?.click();
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (event.target.closest("input, textarea, select, dialog")) return;
    const does = {
      "/": () => { const box = document.getElementById("q"); box.focus(); box.select(); },
      "?": () => keys.showModal(),
      j: () => follow("next"),
      k: () => follow("prev"),
      u: () => follow("up"),
      t: turn,
    }[event.key];
    if (does) { event.preventDefault(); does(); }
  });

  // the list in the margin shows where one is
  const here = document.querySelector(".siblings .here");
  if (here) here.parentElement.scrollTop = here.offsetTop - here.parentElement.offsetTop - here.parentElement.clientHeight / 3;

  // suggestions: a combobox with a list (WAI-ARIA Authoring Practices)
  for (const box of document.querySelectorAll("[data-suggest]")) suggest(box);
  function suggest(box) {
    const list = document.createElement("ul");
    list.className = "suggestions";
    list.id = `${box.id}-list`;
    list.setAttribute("role", "listbox");
    list.setAttribute("aria-label", "Suggestions");
    list.hidden = true;
    box.after(list);
    for (const [attribute, value] of [["role", "combobox"], ["aria-autocomplete", "list"], ["aria-controls", list.id], ["aria-expanded", "false"]]) box.setAttribute(attribute, value);
    let at = -1;
    let found = [];
    let waiting = 0;
    let asked = null;
    const close = () => { list.hidden = true; at = -1; box.setAttribute("aria-expanded", "false"); box.removeAttribute("aria-activedescendant"); };
    const select = (place) => {
      at = place;
      [...list.children].forEach((one, n) => one.setAttribute("aria-selected", String(n === at)));
      if (at < 0) { box.removeAttribute("aria-activedescendant"); return; }
      box.setAttribute("aria-activedescendant", list.children[at].id);
      list.children[at].scrollIntoView({ block: "nearest" });
    };
    const show = (leads) => {
      found = leads;
      list.replaceChildren(...leads.map((lead, n) => {
        const item = document.createElement("li");
        item.id = `${list.id}-${n}`;
        item.setAttribute("role", "option");
        item.setAttribute("aria-selected", "false");
        const label = document.createElement("b");
        label.textContent = lead.label;
        const words = document.createElement("span");
        words.className = "words";
        words.textContent = lead.words;
        const kind = document.createElement("span");
        kind.className = "kind";
        kind.textContent = lead.kind;
        item.append(label, words, kind);
        item.addEventListener("pointerdown", (event) => { event.preventDefault(); location.href = lead.address; });
        return item;
      }));
      list.hidden = leads.length === 0;
      at = -1;
      box.setAttribute("aria-expanded", String(!list.hidden));
    };
    box.addEventListener("input", () => {
      clearTimeout(waiting);
      const words = box.value.trim();
      if (!words) { close(); return; }
      waiting = setTimeout(async () => {
        asked?.abort();
        asked = new AbortController();
        try {
          const answer = await fetch(`${root}/suggest?${new URLSearchParams({ q: words, release })}`, { signal: asked.signal });
          if (answer.ok && document.activeElement === box) show(await answer.json());
        } catch (error) { if (error.name !== "AbortError") close(); }
      }, 90);
    });
    box.addEventListener("keydown", (event) => {
      if (event.key === "Escape") { if (list.hidden) box.blur(); close(); event.preventDefault(); }
      if (list.hidden) return;
      if (event.key === "ArrowDown") { select((at + 1) % found.length); event.preventDefault(); }
      if (event.key === "ArrowUp") { select(at <= 0 ? found.length - 1 : at - 1); event.preventDefault(); }
      if (event.key === "Enter" && at >= 0) { location.href = found[at].address; event.preventDefault(); }
    });
    box.addEventListener("blur", close);
  }

  // a rule's text where its number is pointed at
  const kept = new Map();
  let hover = null;
  let opening = 0;
  const leave = () => { clearTimeout(opening); hover?.remove(); hover = null; };
  const point = (link) => {
    const match = new URL(link.href).pathname.slice(root.length).match(/^\/cr\/([^/]+)\/rule\/([^/]+)$/);
    if (!match || link.closest(".hover")) return;
    clearTimeout(opening);
    opening = setTimeout(async () => {
      const address = `${root}/preview/${match[1]}/${match[2]}`;
      if (!kept.has(address)) {
        const answer = await fetch(address, { headers: { Accept: "text/html" } }).catch(() => null);
        kept.set(address, answer?.ok ? await answer.text() : "");
      }
      if (!kept.get(address)) return;
      leave();
      hover = document.createElement("div");
      hover.className = "hover";
      hover.setAttribute("role", "tooltip");
      hover.id = "hover";
      // The fragment is our own server's, escaped there.
      hover.append(...new DOMParser().parseFromString(kept.get(address), "text/html").body.childNodes);
      document.body.append(hover);
      const place = link.getBoundingClientRect();
      const left = Math.min(place.left, innerWidth - hover.offsetWidth - 16);
      const above = place.bottom + hover.offsetHeight + 12 > innerHeight && place.top > hover.offsetHeight + 12;
      hover.style.left = `${Math.max(16, left) + scrollX}px`;
      hover.style.top = `${(above ? place.top - hover.offsetHeight - 8 : place.bottom + 8) + scrollY}px`;
      hover.addEventListener("pointerleave", leave);
    }, 220);
  };
  document.addEventListener("pointerover", (event) => {
    const link = event.target.closest?.("a.cite, .book .text a");
    if (link && event.pointerType !== "touch") point(link);
    else if (hover && !event.target.closest?.(".hover")) leave();
    else if (!link) clearTimeout(opening);
  });
  document.addEventListener("focusin", (event) => {
    const link = event.target.closest?.("a.cite");
    if (link && link.matches(":focus-visible")) point(link); else if (!event.target.closest?.(".hover")) leave();
  });
  document.addEventListener("keydown", (event) => { if (event.key === "Escape") leave(); });

  // reasons of a row, without another page
  document.addEventListener("click", async (event) => {
    const link = event.target.closest("[data-why]");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    const row = link.closest("tr");
    if (row.nextElementSibling?.classList.contains("reasons")) {
      row.nextElementSibling.hidden = !row.nextElementSibling.hidden;
      link.setAttribute("aria-expanded", String(!row.nextElementSibling.hidden));
      return;
    }
    link.setAttribute("aria-busy", "true");
    const answer = await fetch(link.href, { headers: { Accept: "text/html" } }).catch(() => null);
    if (!answer?.ok) { location.href = link.href; return; }
    const reasons = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById(`why-${link.dataset.why}`);
    link.removeAttribute("aria-busy");
    if (reasons) { row.after(reasons); link.setAttribute("aria-expanded", "true"); }
  });
})();
