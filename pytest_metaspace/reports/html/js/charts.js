"use strict";
// Radar and heat maps, drawn by Chart.js in the colours of the page.
metaspace.charts = (() => {
  const { el, score } = metaspace.dom;
  const drawn = [];
  const fallback = "system-ui, sans-serif";

  const token = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

  function inColours() {
    Chart.defaults.color = token("--soft");
    Chart.defaults.borderColor = token("--line");
    Chart.defaults.font.family = getComputedStyle(document.body).fontFamily || fallback;
    Chart.defaults.font.size = 12;
    Chart.defaults.animation = false;
  }

  // A canvas whose chart is drawn when it is in the page, and again when the colours change.
  function canvas(label, kind, configure) {
    const node = el("canvas", { role: "img", "aria-label": label });
    const holder = el("div", { class: `chart ${kind}` }, node);
    drawn.push({ node, configure, chart: null });
    return holder;
  }

  function draw() {
    inColours();
    for (const one of drawn) {
      one.chart?.destroy();
      one.chart = new Chart(one.node, one.configure());
    }
  }

  const channels = (hex) => [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));

  function mixed(low, high, share) {
    const [from, to] = [channels(low), channels(high)];
    return `rgb(${from.map((part, at) => Math.round(part + (to[at] - part) * share)).join(" ")})`;
  }

  const faded = (hex, share) => `rgb(${channels(hex).join(" ")} / ${share})`;

  // Agents over capabilities: agents are {name, kind, values}.
  function radar(codes, agents) {
    const label = `Radar of scores by capability: ${agents.map((agent) => agent.name).join(", ")}`;
    return canvas(label, "radar", () => ({
      type: "radar",
      data: {
        labels: codes,
        datasets: agents.map((agent, number) => {
          const colour = token(`--series-${number % 6}`);
          return {
            label: agent.name.length > 32 ? `${agent.name.slice(0, 31)}\u2026` : agent.name,
            data: codes.map((code) => agent.values[code] ?? null),
            borderColor: colour,
            backgroundColor: number === 0 ? faded(colour, 0.14) : "transparent",
            pointBackgroundColor: colour,
            borderWidth: number === 0 ? 2.5 : 1.5,
            borderDash: agent.kind === "run" || agent.kind === "other" ? [] : [5, 4],
            pointRadius: number === 0 ? 3 : 2,
            spanGaps: true,
          };
        }),
      },
      options: {
        responsive: true,
        maintainAspectRatio: false,
        scales: {
          r: {
            min: 0,
            max: 1,
            ticks: { stepSize: 0.5, maxTicksLimit: 3, backdropColor: "transparent", showLabelBackdrop: false, color: token("--faint") },
            grid: { color: token("--line") },
            angleLines: { color: token("--line") },
            pointLabels: { color: token("--text"), font: { size: 12, weight: "600" } },
          },
        },
        plugins: {
          legend: { position: "bottom", display: agents.length > 1, labels: { boxWidth: 14, boxHeight: 2 } },
          tooltip: { callbacks: { label: (item) => `${item.dataset.label}: ${score(item.raw)}` } },
        },
      },
    }));
  }

  function shade(value) {
    if (value === null || value === undefined) return "transparent";
    return value < 0.5
      ? mixed(token("--heat-low"), token("--heat-mid"), value * 2)
      : mixed(token("--heat-mid"), token("--heat-high"), value * 2 - 1);
  }

  // Two digits in a cell of a phone: ".50", or "1".
  const brief = (value) => (value >= 0.995 ? "1" : value.toFixed(2).slice(1));

  const lettering = {
    id: "lettering",
    afterDatasetsDraw(chart) {
      const { ctx } = chart;
      ctx.save();
      ctx.font = `600 12px ${Chart.defaults.font.family}`;
      ctx.textAlign = "center";
      ctx.textBaseline = "middle";
      const { x: across } = chart.scales;
      const narrow = across.getPixelForValue(1) - across.getPixelForValue(0) < 36;
      chart.getDatasetMeta(0).data.forEach((cell, at) => {
        const { v } = chart.data.datasets[0].data[at];
        const { x, y } = cell.getCenterPoint();
        ctx.fillStyle = v === null ? token("--faint") : token("--heat-text");
        ctx.fillText(v === null ? "\u2013" : narrow ? brief(v) : v.toFixed(2), x, y);
      });
      ctx.restore();
    },
  };

  // Rows over columns; value(row, column) is a score or null, chosen(row, column) follows a click.
  function heat(label, rows, columns, value, chosen) {
    const short = (text) => (text.length > 28 ? `${text.slice(0, 27)}\u2026` : text);
    const holder = canvas(label, "heat", () => ({
      type: "matrix",
      data: {
        datasets: [{
          data: rows.flatMap((row, y) => columns.map((column, x) => ({ x, y, v: value(row, column) ?? null }))),
          backgroundColor: ({ raw }) => shade(raw?.v),
          borderWidth: 0,
          borderRadius: 4,
          width: ({ chart }) => Math.max((chart.chartArea?.width ?? 0) / columns.length - 3, 1),
          height: ({ chart }) => Math.max((chart.chartArea?.height ?? 0) / rows.length - 3, 1),
        }],
      },
      options: {
        responsive: true,
        maintainAspectRatio: false,
        onClick: (event, hit) => hit.length && chosen && chosen(rows[Math.floor(hit[0].index / columns.length)], columns[hit[0].index % columns.length]),
        scales: {
          x: axis(columns, short, { position: "top" }),
          y: axis(rows, short, { reverse: true }),
        },
        plugins: {
          legend: { display: false },
          tooltip: {
            callbacks: {
              title: () => "",
              label: ({ raw }) => `${rows[raw.y]}, ${columns[raw.x]}: ${score(raw.v)}`,
            },
          },
        },
      },
      plugins: [lettering],
    }));
    holder.style.setProperty("height", `${rows.length * 34 + 34}px`);
    return holder;
  }

  function axis(names, short, more) {
    return {
      type: "linear",
      min: -0.5,
      max: names.length - 0.5,
      offset: false,
      border: { display: false },
      grid: { display: false },
      afterBuildTicks: (scale) => { scale.ticks = names.map((_, at) => ({ value: at })); },
      ticks: { autoSkip: false, callback: (at) => short(names[at] ?? ""), color: token("--text") },
      ...more,
    };
  }

  return { radar, heat, draw, forget: () => { drawn.forEach((one) => one.chart?.destroy()); drawn.length = 0; } };
})();
