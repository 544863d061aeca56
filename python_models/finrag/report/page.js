// Draws the charts in the theme of the page and applies the filters of each section to its charts, tables and cases.
(function () {
  "use strict";
  const specs = JSON.parse(document.getElementById("charts").textContent);
  const systems = JSON.parse(document.getElementById("systems").textContent);
  const dark = window.matchMedia("(prefers-color-scheme: dark)");
  const printing = window.matchMedia("print");
  const views = {};
  const AT_FIRST = 2;
  let isDrawn = false;

  // Twelve, told apart on white and on black; a system has the place that the page gave to its name.
  const SHADES = {
    light: ["#1f5fbf", "#c4620a", "#1d7a4c", "#a5357f", "#857400", "#15808a", "#6a4fc3", "#b3261e", "#5a6675", "#7a4a21",
            "#3f7d0f", "#c0246c"],
    dark: ["#8ab8ff", "#ffb56b", "#7fd6a6", "#e79ad0", "#d8cf7a", "#9be0e6", "#c3b5ff", "#ff9c92", "#b9c3cf", "#d9b48f",
           "#b5e07a", "#ff8fc0"],
  };
  const STANDINGS = ["shown, primary", "shown, a lead", "not shown, primary", "not shown, exploratory"];

  // Colours by name, for a system and for the standing of a difference, in whatever chart they come up. The names go in
  // as a parameter and the chart has their numbers: the library would put names given as a domain into an expression.
  function coloured(spec, isDark, chosen) {
    const shades = SHADES[isDark ? "dark" : "light"];
    const standing = isDark ? ["#e7ebf0", "#b4bfcc", "#7d8a99", "#616d7b"] : ["#1c2430", "#55606e", "#8b96a3", "#a9b2bc"];
    const rows = (spec.data || spec.layer[0].data).values;
    const field = ["standing", "system_name"].find((name) => JSON.stringify(spec.layer).includes('"field":"' + name + '","'));
    if (!field) return spec;
    const asked = (spec.params || []).map((param) => param.name.replace(/^choice_/, "")).filter((name) => chosen[name]);
    const fitting = rows.filter((row) => asked.every((name) => String(row[name]) === chosen[name]));
    const names = [...new Set(fitting.map((row) => String(row[field])))].sort();
    const shade = (name) => field === "standing" ? standing[STANDINGS.indexOf(name)] : shades[systems[name] % shades.length];
    const scale = { domain: names.map((_, place) => place), range: names.map(shade) };
    const layers = spec.layer.map((layer) => {
      const encoding = { ...layer.encoding };
      for (const channel of ["fill", "stroke", "color"]) {
        const given = encoding[channel];
        if (!given || given.field !== field) continue;
        const legend = given.legend && { ...given.legend, labelExpr: "split(colour_names[datum.value], ', ')" };
        encoding[channel] = { ...given, field: "colour_place", legend, scale };
      }
      return { ...layer, encoding };
    });
    const values = rows.map((row) => ({ ...row, colour_place: names.indexOf(String(row[field])) }));
    const params = [...(spec.params || []), { name: "colour_names", value: names }];
    return { ...spec, params, data: { values }, layer: layers };
  }

  function theme(isDark) {
    const ink = isDark ? "#e7ebf0" : "#1c2430", soft = isDark ? "#a4afbd" : "#5a6675", line = isDark ? "#333d4a" : "#dfe3e8";
    return {
      background: null, font: "system-ui, 'Segoe UI', 'DejaVu Sans', sans-serif", view: { stroke: null },
      axis: { labelColor: ink, titleColor: soft, gridColor: line, domainColor: line, tickColor: line,
              labelFontSize: 12, titleFontSize: 12, titleFontWeight: "normal" },
      legend: { labelColor: ink, titleColor: soft, symbolBaseFillColor: ink, symbolBaseStrokeColor: ink, labelFontSize: 12, titleFontSize: 12, titleFontWeight: "normal",
                layout: { top: { anchor: "start", bounds: "full", direction: "vertical" } } },
      rule: { color: soft }, text: { color: ink },
    };
  }

  async function draw(id) {
    const isDark = dark.matches && !printing.matches;
    if (views[id]) views[id].finalize();
    delete views[id];
    const chart = document.getElementById("chart-" + id);
    // without a row that fits there is nothing to scale by
    if (chart.closest("figure").hidden || !chart.offsetWidth) return;
    const chosen = choices(chart.closest("section"));
    specs[id].params = (specs[id].params || []).map((param) => {
      const name = param.name.replace(/^choice_/, "");
      return name in chosen ? { ...param, value: chosen[name] } : param;
    });
    views[id] = await vegaEmbed("#chart-" + id, coloured(specs[id], isDark, chosen), {
      actions: false, renderer: "svg", ast: true, config: theme(isDark), tooltip: { theme: isDark ? "dark" : "light" },
    });
  }

  function choices(section) {
    const selects = [...section.querySelectorAll("select[data-filter]")];
    return Object.fromEntries(selects.map((select) => [select.dataset.filter, select.value]));
  }

  function apply(section) {
    const chosen = choices(section);
    const told = section.querySelector(".chosen");
    if (told) told.textContent = [...section.querySelectorAll(".filters label")].map((label) => {
      const select = label.querySelector("select");
      return select && select.value ? label.firstChild.textContent.trim() + ": " + select.value : "";
    }).filter(Boolean).join(" · ");
    const search = section.querySelector("input[type=search]");
    const words = search ? search.value.toLowerCase().split(/\s+/).filter(Boolean) : [];
    let fitting = 0;
    const more = section.querySelector("button.more");
    const limit = more && more.getAttribute("aria-expanded") === "true" ? Infinity : AT_FIRST;
    section.querySelectorAll("[data-keys]").forEach((item) => {
      const keys = JSON.parse(item.dataset.keys);
      let fits = Object.entries(chosen).every(([name, value]) => value === "" || !(name in keys) || keys[name] === value);
      if (fits && words.length && item.classList.contains("case")) {
        const text = item.textContent.toLowerCase();
        fits = words.every((word) => text.includes(word));
      }
      const isCase = item.classList.contains("case");
      if (fits && isCase) fitting += 1;
      item.hidden = !fits || (isCase && fitting > limit);
    });
    section.querySelectorAll("figure").forEach((figure) => {
      figure.hidden = !figure.querySelector("tbody tr:not([hidden])");
      const chart = figure.querySelector(".chart[data-chart]");
      if (!chart || figure.hidden) return;
      // anew, as other systems make another legend
      if (isDrawn) draw(chart.dataset.chart);
    });
    const count = section.querySelector(".count");
    if (count) count.textContent = Math.min(fitting, limit) + " of " + fitting + " shown";
    if (more) more.hidden = fitting <= AT_FIRST;
  }

  // What is chosen stands behind the section in the address: #retrieval?metric_name=mrr%4030
  function remember(section) {
    const search = section.querySelector("input[type=search]");
    const sought = search && search.value ? { search: search.value } : {};
    const query = new URLSearchParams({ ...choices(section), ...sought }).toString();
    if (query) history.replaceState(null, "", "#" + section.id + "?" + query);
  }

  function recall() {
    const [id, query] = decodeURI(location.hash.slice(1)).split("?");
    const section = query && document.getElementById(id);
    if (!section) return;
    const wanted = new URLSearchParams(query);
    section.querySelectorAll("select[data-filter]").forEach((select) => {
      const value = wanted.get(select.dataset.filter);
      if (value !== null && [...select.options].some((option) => option.value === value)) select.value = value;
    });
    const search = section.querySelector("input[type=search]");
    if (search) search.value = wanted.get("search") || "";
    apply(section);
    section.scrollIntoView();
  }

  function cells(row) {
    return [...row.cells].map((cell) => cell.textContent.trim());
  }

  // By number where both are numbers; what is not there comes last either way.
  function sort(table, place, isDown) {
    const number = (text) => Number(text.replaceAll(",", ""));
    const compared = (a, b) => {
      if (a === "–" || b === "–") return (a === "–") - (b === "–");
      const by = a !== "" && b !== "" && !isNaN(number(a)) && !isNaN(number(b)) ? number(a) - number(b) : a.localeCompare(b);
      return isDown ? -by : by;
    };
    const body = table.tBodies[0];
    const keyed = [...body.rows].map((row) => [row.cells[place].textContent.trim(), row]);
    body.append(...keyed.sort((a, b) => compared(a[0], b[0])).map((pair) => pair[1]));
    [...table.tHead.rows[0].cells].forEach((head) => head.removeAttribute("aria-sort"));
    table.tHead.rows[0].cells[place].setAttribute("aria-sort", isDown ? "descending" : "ascending");
  }

  // The rows that are shown. A text that a spreadsheet would take for a formula gets an apostrophe.
  function csv(table) {
    const quoted = (text) => {
      const safe = /^[=+@\t\r]|^-(?![\d.])/.test(text) ? "'" + text : text;
      return '"' + safe.replaceAll('"', '""') + '"';
    };
    const rows = [table.tHead.rows[0], ...[...table.tBodies[0].rows].filter((row) => !row.hidden)];
    return rows.map((row) => cells(row).map(quoted).join(",")).join("\r\n") + "\r\n";
  }

  function download(table, name) {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob(["\ufeff" + csv(table)], { type: "text/csv" }));
    link.download = name + ".csv";
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  }

  async function drawAll() {
    for (const id of Object.keys(specs)) await draw(id);
    isDrawn = true;
    document.documentElement.dataset.ready = "true";
  }

  document.querySelectorAll("section").forEach((section) => {
    section.querySelectorAll("details.further").forEach((details) => details.addEventListener("toggle", () => {
      const chart = details.open && details.querySelector(".chart[data-chart]");
      if (chart && !views[chart.dataset.chart]) draw(chart.dataset.chart);
    }));
    section.addEventListener("change", (event) => {
      if (!event.target.matches("select[data-filter]")) return;
      apply(section);
      remember(section);
    });
    section.querySelectorAll("table").forEach((table) => [...table.tHead.rows[0].cells].forEach((head, place) => {
      head.firstElementChild.addEventListener("click", () => sort(table, place, head.getAttribute("aria-sort") === "ascending"));
    }));
    section.querySelectorAll("button.csv").forEach((button) => button.addEventListener("click", () => {
      download(button.closest("details").querySelector("table"), button.dataset.name);
    }));
    section.addEventListener("input", (event) => { 
      if (event.target.type !== "search") return;
      apply(section);
      remember(section);
    });
    const more = section.querySelector("button.more");
    if (more) more.addEventListener("click", () => {
      const open = more.getAttribute("aria-expanded") !== "true";
      more.setAttribute("aria-expanded", String(open));
      more.textContent = open ? "Show fewer" : "Show all";
      apply(section);
    });
    apply(section);
  });
  dark.addEventListener("change", drawAll);
  printing.addEventListener("change", drawAll);
  recall();
  window.addEventListener("hashchange", recall);
  drawAll();
})();
