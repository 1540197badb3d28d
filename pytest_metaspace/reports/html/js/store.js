"use strict";
// The data of the page, each block read when it is first needed.
metaspace.store = (() => {
  const kept = new Map();

  function block(name) {
    if (!kept.has(name)) {
      const node = document.getElementById(`data-${name}`);
      kept.set(name, node === null ? null : JSON.parse(node.textContent));
    }
    return kept.get(name);
  }

  const summary = () => block("summary");
  const cases = () => block("cases");

  // The text at a place: undefined where there is none, null where it was left out.
  const word = (place) => (place < 0 ? undefined : block("words")[place]);
  const reason = (index) => block("reasons")[cases().w[index]] ?? "";

  function caseAt(index) {
    const all = cases();
    return {
      index,
      trajectory: all.trajectories[all.t[index]],
      capability: all.capabilities[all.c[index]][0],
      meaning: all.capabilities[all.c[index]][1],
      relation: all.relations[all.r[index]][0],
      title: all.relations[all.r[index]][1],
      own: all.i[index],
      outcome: all.outcomes[all.o[index]],
      objects: all.b[index].map((place) => all.objects[place]),
      states: all.s[index],
      news: all.news[all.n[index]],
      excuse: all.excuses[all.e[index]],
      reason: reason(index),
    };
  }

  function address(index) {
    const one = caseAt(index);
    return [one.trajectory, one.capability, one.relation, one.own].join("::");
  }

  // Steps, questions and givens of a case that is told in full, else null.
  function told(index) {
    const all = cases();
    const place = all.x[index];
    if (place < 0) return null;
    const [flat, questions, givens] = block(`told-${Math.floor(place / all.chunk)}`)[place % all.chunk];
    const steps = [];
    for (let at = 0; at < flat.length; at += 5) {
      steps.push({
        depth: flat[at],
        goal: word(flat[at + 1]),
        because: word(flat[at + 2]),
        source: word(flat[at + 3]),
        rests: flat[at + 4],
      });
    }
    return { steps, questions: questions.map(question), givens: givens.map(word) };
  }

  function said([value, raw, length, error, kind]) {
    return { value: word(value), raw: word(raw), length, error: word(error), kind: word(kind) };
  }

  function questionOf([capability, sentence, frames, truth, answer, samples, prompt], trajectory) {
    const one = {
      trajectory,
      capability: word(capability),
      sentence: word(sentence),
      frames,
      truth: word(truth),
      said: said(answer),
      samples: samples.map(said),
      prompt,
    };
    const known = one.truth !== undefined && one.truth !== null;
    one.off = known ? off(one.said.value, one.truth) : null;
    one.wrong = known && one.off === null && one.said.value !== one.truth;
    one.right = known && one.off === null && !one.wrong;
    return one;
  }

  // How far one length is from another, in percent; a length is never simply right or wrong.
  function off(said, truth) {
    const [told, real] = [said, truth].map((text) => Number(/^([\d.]+) m$/.exec(text ?? "")?.[1]));
    return told >= 0 && real > 0 ? `${(100 * Math.abs(told / real - 1)).toFixed(0)} % off` : null;
  }

  // A question by its place among all of them.
  function question(place) {
    const starts = cases().asked;
    if (place < 0) return null;
    let low = 0;
    let high = starts.length - 1;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (starts[middle] <= place) low = middle;
      else high = middle;
    }
    return questionOf(block(`asked-${low}`)[place - starts[low]], low);
  }

  const questionsOf = (trajectory) =>
    (block(`asked-${trajectory}`) ?? []).map((one) => questionOf(one, trajectory));

  const trajectory = (place) => block(`trajectory-${place}`);

  // The address of a frame's picture, or in words why there is none.
  function picture(place, state) {
    const found = trajectory(place)?.pictures[state];
    if (found === undefined) return { why: "no frame is known for this state" };
    if (found >= 0) return { address: block(`picture-${found}`) };
    return {
      why: {
        "-1": "the file of this frame was not found",
        "-2": "the file of this frame is no picture that could be read",
        "-3": "left out, to keep this page small",
      }[found],
    };
  }

  return { summary, cases, word, reason, caseAt, address, told, question, questionsOf, trajectory, picture };
})();
