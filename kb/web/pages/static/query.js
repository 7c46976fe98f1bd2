// The editor's result as a table or a picture; without it, the form itself asks the endpoint.
"use strict";
(() => {
  const form = document.getElementById("editor");
  const status = document.getElementById("status");
  const result = document.getElementById("result");
  const table = document.getElementById("table");
  const picture = document.getElementById("picture");
  const root = document.body.dataset.root;
  const MOST = 1000;
  const SVG = "http://www.w3.org/2000/svg";
  const PREFIXES = { "https://mtgkb.example/ns#": "mtg:", "http://purl.org/dc/terms/": "dcterms:", "http://www.w3.org/ns/prov#": "prov:", "http://www.w3.org/1999/02/22-rdf-syntax-ns#": "rdf:", "http://www.w3.org/2000/01/rdf-schema#": "rdfs:", "http://www.w3.org/2004/02/skos/core#": "skos:", "http://www.w3.org/2001/XMLSchema#": "xsd:" };
  document.getElementById("example").addEventListener("change", (event) => event.target.form.submit());

  const short = (term) => {
    if (!term) return "";
    if (term.type !== "uri") return term.value;
    for (const [start, prefix] of Object.entries(PREFIXES)) if (term.value.startsWith(start)) return prefix + term.value.slice(start.length);
    return term.value.replace(/^https?:\/\/[^/]+\//, "");
  };
  const page = (term) => {
    const path = term.value.match(/^https?:\/\/[^/]+\/((?:cr|id)\/.*)$/);
    return path ? `${root}/${path[1]}` : term.value;
  };
  const element = (tag, text, attributes = {}) => {
    const made = document.createElement(tag);
    made.textContent = text;
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    return made;
  };
  const drawn = (tag, attributes, text) => {
    const made = document.createElementNS(SVG, tag);
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    if (text !== undefined) made.textContent = text;
    return made;
  };

  function showRows(names, rows) {
    const made = element("table", "", { class: "answers" });
    const head = element("tr", "");
    head.append(...names.map((name) => element("th", name, { scope: "col" })));
    const top = element("thead", "");
    top.append(head);
    const body = element("tbody", "");
    for (const row of rows.slice(0, MOST)) {
      const line = element("tr", "");
      for (const name of names) {
        const term = row[name];
        const cell = element("td", "");
        if (term?.type === "uri" && /^https?:/.test(term.value)) cell.append(element("a", short(term), { href: page(term) }));
        else cell.textContent = short(term);
        line.append(cell);
      }
      body.append(line);
    }
    made.append(top, body);
    table.replaceChildren(made);
  }

  // A picture: bars where a column is numbers, else a net of what stands together in a row.
  function showPicture(names, rows) {
    const isNumber = (name) => rows.length && rows.every((row) => row[name] && row[name].value !== "" && !Number.isNaN(Number(row[name].value)));
    const count = names.find((name) => isNumber(name) && rows.some((row) => row[name].datatype));
    const label = names.find((name) => name !== count);
    if (count && label) picture.replaceChildren(bars(rows.slice(0, 60), label, count));
    else if (names.length > 1) picture.replaceChildren(net(rows.slice(0, 120), names[0], names[1]));
    else picture.replaceChildren(element("p", "One column makes no picture: select two, or a number beside a name."));
  }
  function bars(rows, label, count) {
    const most = Math.max(...rows.map((row) => Number(row[count].value)), 1);
    const svg = drawn("svg", { viewBox: `0 0 760 ${rows.length * 24 + 8}`, width: 760, role: "img", "aria-label": `${count} of each ${label}` });
    rows.forEach((row, n) => {
      const y = n * 24 + 4;
      const value = Number(row[count].value);
      svg.append(drawn("text", { x: 222, y: y + 14, "text-anchor": "end" }, short(row[label]).slice(0, 32)));
      svg.append(drawn("rect", { class: "bar-shape", x: 230, y, width: Math.max(1, (value / most) * 460), height: 18, rx: 2 }));
      svg.append(drawn("text", { x: 236 + (value / most) * 460, y: y + 14 }, row[count].value));
    });
    return svg;
  }
  function net(rows, from, to) {
    const left = [...new Set(rows.map((row) => short(row[from])))];
    const right = [...new Set(rows.map((row) => short(row[to])))];
    const height = Math.max(left.length, right.length) * 22 + 20;
    const y = (list, value) => 18 + (list.indexOf(value) + 0.5) * ((height - 20) / list.length);
    const svg = drawn("svg", { viewBox: `0 0 860 ${height}`, width: 860, role: "img", "aria-label": `${left.length} ${from} and ${right.length} ${to}` });
    for (const row of rows) svg.append(drawn("line", { class: "edge", x1: 300, x2: 560, y1: y(left, short(row[from])), y2: y(right, short(row[to])) }));
    for (const one of left) svg.append(drawn("circle", { cx: 300, cy: y(left, one), r: 4 }), drawn("text", { x: 290, y: y(left, one) + 4, "text-anchor": "end" }, one.slice(0, 42)));
    for (const one of right) svg.append(drawn("circle", { cx: 560, cy: y(right, one), r: 4 }), drawn("text", { x: 570, y: y(right, one) + 4 }, one.slice(0, 42)));
    return svg;
  }

  const triples = (text) => {
    const term = '(<[^>]*>|_:\\S+|"(?:[^"\\\\]|\\\\.)*"(?:@[\\w-]+|\\^\\^<[^>]*>)?)';
    const line = new RegExp(`^${term}\\s+${term}\\s+${term}\\s*\\.$`);
    const read = (written) => written.startsWith("<") ? { type: "uri", value: written.slice(1, -1) }
      : { type: "literal", value: written.startsWith('"') ? JSON.parse(`"${written.slice(1, written.lastIndexOf('"')).replace(/\\U(\w{8})/g, "")}"`) : written };
    return text.split("\n").map((one) => one.match(line)).filter(Boolean).map((m) => ({ subject: read(m[1]), predicate: read(m[2]), object: read(m[3]) }));
  };

  async function run() {
    const asked = new URLSearchParams({ query: form.elements.query.value, release: form.elements.release.value });
    status.textContent = "Running…";
    const begun = performance.now();
    let answer;
    try {
      answer = await fetch(form.action, { method: "POST", body: asked, headers: { Accept: "application/sparql-results+json, application/n-triples;q=0.9" } });
    } catch { status.textContent = "The server could not be reached."; return; }
    const text = await answer.text();
    const took = `${Math.round(performance.now() - begun)} ms`;
    if (!answer.ok) {
      result.hidden = true;
      let said = text.slice(0, 400);
      try { const error = JSON.parse(text); said = [error.what, error.why, error.hint].filter(Boolean).join(" · "); } catch { /* plain text */ }
      status.textContent = said || `The server answered ${answer.status}.`;
      return;
    }
    let names;
    let rows;
    if ((answer.headers.get("content-type") ?? "").includes("json")) {
      const found = JSON.parse(text);
      if ("boolean" in found) { result.hidden = true; status.textContent = found.boolean ? `Yes (${took})` : `No (${took})`; return; }
      names = found.head.vars;
      rows = found.results.bindings;
    } else {
      const read = triples(text);
      names = ["subject", "predicate", "object"];
      rows = read;
    }
    const cut = answer.headers.get("mtgkb-truncated") ? ", cut there by the server" : "";
    status.textContent = `${rows.length} rows in ${took}${rows.length > MOST ? `, the first ${MOST} shown` : ""}${cut}`;
    result.hidden = false;
    showRows(names, rows);
    showPicture(names[1] === "predicate" ? ["subject", "object"] : names, rows);
  }
  form.addEventListener("submit", (event) => {
    if (event.submitter?.hasAttribute("data-download")) return;
    event.preventDefault();
    run();
  });
  form.elements.query.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) { event.preventDefault(); run(); }
  });
  for (const button of document.querySelectorAll("[data-show]")) {
    button.addEventListener("click", () => {
      for (const one of document.querySelectorAll("[data-show]")) {
        one.setAttribute("aria-pressed", String(one === button));
        document.getElementById(one.dataset.show).hidden = one !== button;
      }
    });
  }
})();
