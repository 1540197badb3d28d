"use strict";
// A trajectory, state by state: its frame with boxes, what was done, what was asked and answered.
metaspace.walk = (() => {
  const { el, count } = metaspace.dom;
  const { store, frames, filters } = metaspace;
  const PAUSE_MS = 900;
  const PAGE = 40;
  const now = { place: 0, state: 0, objects: null, wrong: false, shown: PAGE, timer: null, questions: [] };
  let parts = null;

  function build(body) {
    const names = store.cases().trajectories;
    const pick = el("select", { id: "trajectory", onchange: () => turn(Number(pick.value), 0) },
      names.map((id, place) => el("option", { value: String(place) }, id)));
    const slider = el("input", { type: "range", min: "0", id: "state", "aria-label": "State", oninput: () => step(Number(slider.value)) });
    const button = (text, label, act) => el("button", { type: "button", "aria-label": label, onclick: act }, text);
    const play = button("\u25b6", "Play", toggle);
    parts = {
      pick, slider, play,
      picture: el("div", { class: "stage" }),
      label: el("p", { class: "where", role: "status" }),
      action: el("p", { class: "action" }),
      objects: el("div", { class: "objects" }),
      answers: el("div", { class: "answers" }),
      source: el("p", { class: "soft small clip" }),
    };
    const controls = el("div", { class: "controls", role: "group", "aria-label": "Walk through the frames" },
      button("\u2039", "Previous frame", () => step(now.state - 1)), play,
      button("\u203a", "Next frame", () => step(now.state + 1)), slider);
    body.replaceChildren(
      el("div", { class: "walk-head" }, el("label", { for: "trajectory" }, "Trajectory"), pick, parts.source),
      el("div", { class: "walk-split" },
        parts.viewer = el("div", { class: "viewer" }, parts.picture, controls, parts.label, parts.action, parts.objects),
        parts.answers));
    document.addEventListener("keydown", keyed);
  }

  function keyed(event) {
    if (document.getElementById("view-walk").hidden || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.closest("select, input, summary, a, pre, [role=region]")) return;
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (by) step(now.state + by);
    else if (event.key === "Home") step(0);
    else if (event.key === "End") step(length() - 1);
    else if (event.key === " " && !event.target.closest("button")) toggle();
    else return;
    event.preventDefault();
  }

  const told = () => store.trajectory(now.place);
  const length = () => Math.max(told()?.pictures.length ?? 0, 1);

  function toggle() {
    if (now.timer === null) {
      if (now.state >= length() - 1) step(0);
      now.timer = setInterval(() => (now.state < length() - 1 ? step(now.state + 1, true) : stop()), PAUSE_MS);
    } else stop();
    played();
  }

  function stop() {
    clearInterval(now.timer);
    now.timer = null;
    if (parts) played();
  }

  function played() {
    const playing = now.timer !== null;
    parts.play.textContent = playing ? "\u275a\u275a" : "\u25b6";
    parts.play.setAttribute("aria-label", playing ? "Pause" : "Play");
  }

  function turn(place, state) {
    stop();
    Object.assign(now, { place, objects: null, questions: store.questionsOf(place) });
    parts.pick.value = String(place);
    parts.source.textContent = told() ? `${told().scenario} \u00b7 ${told().source}` : "nothing is known of its frames";
    parts.slider.max = String(length() - 1);
    step(state);
  }

  function step(state, playing = false) {
    if (!playing) stop();
    now.state = Math.min(Math.max(state, 0), length() - 1);
    now.shown = PAGE;
    const id = store.cases().trajectories[now.place];
    history.replaceState(null, "", `#walk?${new URLSearchParams({ trajectory: id, state: String(now.state) })}`);
    draw();
  }

  function draw() {
    parts.slider.value = String(now.state);
    parts.slider.setAttribute("aria-valuetext", `state ${now.state} of ${length() - 1}`);
    parts.label.textContent = `State ${now.state} of ${length() - 1}`;
    const action = told()?.actions[now.state];
    parts.action.textContent = action ? `then: ${action}` : "";
    picture();
    legend();
    parts.answers.replaceChildren(...answers());
  }

  function picture() {
    const [width, height] = told()?.size ?? [4, 3];
    parts.viewer.style.setProperty("--ratio", String(width > 0 && height > 0 ? width / height : 4 / 3));
    parts.picture.replaceChildren(frames.picture(now.place, now.state, now.objects, true));
  }

  // The objects in sight; each can be shown alone.
  function legend() {
    if (!told()) return parts.objects.replaceChildren();
    const inSight = frames.boxesAt(now.place, now.state, null);
    if (!inSight.length) return parts.objects.replaceChildren(el("p", { class: "soft small" }, "No tracked object is in this frame."));
    return parts.objects.replaceChildren(...inSight.map(([object, hue]) => {
      const on = now.objects === null || now.objects.includes(object.id);
      return el("button", {
        type: "button", class: `chip object hue-${hue}`, "aria-pressed": String(on), "data-object": object.id,
        onclick: () => {
          now.objects = now.objects?.includes(object.id) ? null : [object.id];
          picture();
          legend();
          [...parts.objects.children].find((node) => node.dataset.object === object.id)?.focus();
        },
      }, el("span", { class: "swatch", "aria-hidden": "true" }), object.id,
      differs(object) ? el("span", { class: "meaning" }, ` ${object.label}`) : null);
    }));
  }

  // Whether a label tells more than the id, as in "chair" of "chair-1".
  function differs({ id, label }) {
    const plain = (text) => text.toLowerCase().replace(/[^a-z0-9]+/g, " ");
    return label !== "" && !plain(id).startsWith(plain(label).trim());
  }

  function answers() {
    const here = now.questions.filter((one) => one.frames.includes(now.state));
    const wrong = here.filter((one) => one.wrong);
    const compared = here.filter((one) => one.wrong || one.right).length;
    const listed = now.wrong ? wrong : here;
    const heading = el("h2", {}, "Asked about this frame");
    if (!here.length) return [heading, el("p", { class: "soft" }, "No question shows this frame.")];
    const only = el("input", { type: "checkbox", id: "only-wrong", onchange: () => {
      Object.assign(now, { wrong: only.checked, shown: PAGE });
      draw();
      document.getElementById("only-wrong")?.focus();
    } });
    only.checked = now.wrong;
    return [
      heading,
      el("p", { class: "soft" }, compared
        ? `${count(here.length, "question")}. Of ${compared.toLocaleString("en")} whose answer is right or wrong, ${wrong.length.toLocaleString("en")} wrong.`
        : `${count(here.length, "question")}; no truth is known for them`),
      compared ? el("label", { class: "toggle", for: "only-wrong" }, only, "wrong ones only") : null,
      el("ul", { class: "asked" }, listed.slice(0, now.shown).map(item)),
      listed.length > now.shown ? el("button", { type: "button", class: "quiet", onclick: () => {
        now.shown += PAGE;
        draw();
      } }, `Show more (${(listed.length - now.shown).toLocaleString("en")})`) : null,
      el("p", {}, el("a", { href: filters.hashOf({ trajectory: store.cases().trajectories[now.place], verdict: ["violated"] }) }, "Violations of this trajectory")),
    ].filter(Boolean);
  }

  function item(question) {
    const { said } = question;
    const read = said.value || said.kind || (said.error ? "no answer" : "no value");
    return el("li", { class: question.wrong ? "wrong" : question.right ? "right" : "" },
      el("p", {}, el("span", { class: "code" }, question.capability ?? ""), " ", question.sentence ?? "left out"),
      el("p", { class: "pairs" },
        el("span", {}, el("span", { class: "label" }, "answer "), el("strong", {}, read), said.raw && said.raw.trim() !== read ? el("span", { class: "soft" }, ` \u201c${clipped(said.raw)}\u201d`) : null),
        question.truth ? el("span", {}, el("span", { class: "label" }, "truth "), el("strong", {}, question.truth)) : null,
        question.off ? el("span", { class: "soft" }, question.off) : null,
        question.wrong || question.right ? el("span", { class: "mark" }, question.wrong ? "\u2717 wrong" : "\u2713 as in truth") : null));
  }

  const clipped = (text) => (text.length > 80 ? `${text.slice(0, 79)}\u2026` : text);

  function show(hash) {
    const names = store.cases().trajectories;
    const body = document.getElementById("walk-body");
    if (!names.length) {
      body.replaceChildren(el("p", { class: "soft" }, "No trajectory was looked at."));
      return;
    }
    if (!parts) build(body);
    const place = Math.max(names.indexOf(hash.get("trajectory")), 0);
    turn(place, Number.parseInt(hash.get("state") ?? "0", 10) || 0);
  }

  return { show, stop };
})();
