"use strict";
// One case, told in full: frames, derivation, questions and answers, each linked to the others.
metaspace.detail = (() => {
  const { el, badge, count } = metaspace.dom;
  const { store, frames, filters } = metaspace;
  const MOST_FRAMES = 24;

  const walkTo = (trajectory, state) => `#walk?${new URLSearchParams({ trajectory, state: String(state) })}`;

  function render(holder, index, back) {
    const one = store.caseAt(index);
    const told = store.told(index);
    const place = store.cases().t[index];
    holder.replaceChildren(...[
      el("p", { class: "back" }, el("a", { href: back }, "\u2190 All cases")),
      el("header", {},
        el("p", { class: "line" }, badge(one.outcome),
          one.news ? el("span", { class: `tag ${one.news}` }, one.news === "new" ? "new since the baseline" : "known before") : null),
        el("h2", {}, `${one.relation}${one.title ? ` ${one.title}` : ""}`, el("span", { class: "meaning" }, ` of ${one.meaning || one.capability}`)),
        el("p", { class: "address" }, el("code", {}, store.address(index)))),
      one.reason ? el("p", { class: "lede" }, one.reason) : null,
      one.excuse ? el("p", { class: "note" }, `In quarantine: ${one.excuse}`) : null,
      ...told ? [shown(one, told, place), derivation(told), asked(told)] : [untold(one, place)],
    ].filter(Boolean));
    holder.scrollTop = 0;
  }

  function untold(one, place) {
    const text = one.outcome === "satisfied"
      ? "The answers fit together, so there is nothing to derive."
      : one.outcome === "violated"
        ? "This page does not hold its derivation: there were too many to tell all of them. The command below shows it."
        : "There is no derivation: the answers decided nothing.";
    return el("div", {},
      el("p", { class: "note" }, text),
      one.outcome === "violated" ? el("pre", { class: "raw", tabindex: "0", "aria-label": "Command" }, `metaspace explain ${one.own}`) : null,
      facts(one),
      one.states.length && store.trajectory(place) ? strip(place, one.trajectory, one.states, one.objects, new Map()) : null);
  }

  function facts(one) {
    const rows = [["Objects", one.objects.join(", ")], ["States", one.states.join(", ")], ["Trajectory", one.trajectory]].filter(([, text]) => text);
    return el("dl", { class: "facts" }, rows.map(([name, text]) => [el("dt", {}, name), el("dd", {}, text)]));
  }

  // The frames that the answers rest on, with which answers those are.
  function shown(one, told, place) {
    const uses = new Map();
    told.questions.forEach((question, number) => {
      if (question?.trajectory !== place) return;
      for (const state of question.frames) uses.set(state, [...(uses.get(state) ?? []), number + 1]);
    });
    const states = [...new Set([...uses.keys(), ...one.states])].sort((a, b) => a - b);
    if (!states.length || !store.trajectory(place)) return null;
    return el("section", { "aria-label": "Frames" }, el("h3", {}, "Frames"),
      strip(place, one.trajectory, states, one.objects, uses));
  }

  function strip(place, trajectory, states, objects, uses) {
    const kept = states.slice(0, MOST_FRAMES);
    return el("div", {},
      el("div", { class: "strip" }, kept.map((state) => el("figure", { id: `frame-${state}`, tabindex: "-1" },
        frames.picture(place, state, objects),
        el("figcaption", {},
          el("a", { href: walkTo(trajectory, state) }, `frame ${state}`),
          uses.has(state) ? el("span", { class: "soft" }, ` shown for ${answers(uses.get(state))}`) : null)))),
      states.length > kept.length ? el("p", { class: "note" }, `${count(states.length - kept.length, "more frame")} in the trajectory's own view.`) : null);
  }

  const answers = (numbers) => (numbers.length > 1 ? `answers ${numbers.join(", ")}` : `answer ${numbers[0]}`);

  // Steps stand under the step that rests on them.
  function derivation(told) {
    const root = el("ol", { class: "tree" });
    const open = [root];
    for (const step of told.steps) {
      open.length = step.depth + 1;
      const item = el("li", {}, stepOf(step, told));
      const under = el("ol");
      open[step.depth].append(item);
      item.append(under);
      open.push(under);
    }
    for (const list of root.querySelectorAll("ol:empty")) list.remove();
    return el("section", { "aria-label": "Derivation" }, el("h3", {}, "Derivation"), root);
  }

  function stepOf(step, told) {
    const question = step.rests >= 0 && step.rests < told.questions.length;
    const given = step.rests >= told.questions.length ? told.givens[step.rests - told.questions.length] : null;
    return el("div", { class: step.rests >= 0 ? "step leaf" : "step" },
      el("span", { class: "goal" }, step.goal ?? "left out"),
      question ? el("span", { class: "links" }, jump(`answer ${step.rests + 1}`, `answer-${step.rests + 1}`),
        (told.questions[step.rests]?.frames ?? []).slice(0, 4).map((state) => jump(`frame ${state}`, `frame-${state}`))) : null,
      given ? el("span", { class: "source" }, given) : null,
      step.rests < 0 ? el("span", { class: "source" }, [step.because, step.source].filter(Boolean).join(" \u00b7 ")) : null);
  }

  // A link inside the case; the address of the page stays.
  function jump(text, id) {
    return el("button", {
      type: "button",
      class: "jump",
      onclick: () => {
        const target = document.getElementById(id);
        if (!target) return;
        target.scrollIntoView({ block: "nearest" });
        target.focus({ preventScroll: true });
      },
    }, text);
  }

  function asked(told) {
    return el("section", { "aria-label": "Questions and answers" }, el("h3", {}, "Questions and answers"),
      told.questions.map((question, at) => (question ? card(question, at + 1) : null)),
      told.givens.length ? el("div", { class: "answer" }, el("p", { class: "soft" }, "Not asked:"),
        el("ul", {}, told.givens.map((text) => el("li", {}, text ?? "left out")))) : null);
  }

  function card(question, number) {
    return el("div", { class: "answer", id: `answer-${number}`, tabindex: "-1" },
      el("p", { class: "question" }, el("span", { class: "numeral" }, String(number)), question.sentence ?? "left out"),
      reply(question),
      raw(question.said),
      el("p", { class: "soft small" }, question.frames.length ? "Shown: " : "No frame was shown.",
        question.frames.slice(0, MOST_FRAMES).map((state) => [jump(`frame ${state}`, `frame-${state}`), " "])),
      samples(question),
      prompt(question));
  }

  function beside(question) {
    if (!question.truth) return null;
    if (question.off) return el("span", { class: "soft" }, `${question.off}, the truth is ${question.truth}`);
    return question.wrong
      ? el("span", { class: "mark wrong" }, `\u2717 wrong, the truth is ${question.truth}`)
      : el("span", { class: "mark right" }, "\u2713 as in truth");
  }

  // What an answer was read as, beside the truth.
  function reply(question) {
    const { said } = question;
    const read = said.value || (said.kind ? `no value (${said.kind})` : said.error ? "no answer" : "no value");
    return el("p", { class: "reply" },
      el("span", { class: "said" }, el("span", { class: "label" }, "read as "), el("strong", {}, read)),
      beside(question),
      said.error ? el("span", { class: "soft" }, said.error) : null);
  }

  function raw(said) {
    if (said.raw === undefined) return null;
    if (said.raw === null) return el("p", { class: "note" }, "The raw answer is left out, to keep this page small.");
    return el("div", {},
      el("pre", { class: "raw", tabindex: "0", "aria-label": "Raw answer" }, said.raw),
      said.length > said.raw.length ? el("p", { class: "note" }, `The first ${said.raw.length.toLocaleString("en")} of ${count(said.length, "character")}.`) : null);
  }

  function samples(question) {
    if (question.samples.length < 2) return null;
    return el("details", {}, el("summary", {}, `Asked ${question.samples.length} times`),
      el("ol", { class: "samples" }, question.samples.map((one) => el("li", {}, el("strong", {}, one.value || one.kind || "no value"), raw(one)))));
  }

  function prompt(question) {
    if (!question.prompt.length) return null;
    return el("details", {}, el("summary", {}, "The question as it was put"),
      el("pre", { class: "raw", tabindex: "0", "aria-label": "The question as it was put" },
        question.prompt.map((place) => store.word(place) ?? "(left out)").join("\n")));
  }

  function nothing(holder, found) {
    holder.replaceChildren(el("div", { class: "hint" },
      el("p", {}, found ? "Choose a case to read why it came out as it did." : "No case fits these filters."),
      found ? el("p", { class: "soft small" }, "Arrow keys move through the list.") : null));
  }

  return { render, nothing, reply, raw, filters };
})();
