// Shows the rollouts of a run. All that a model, a task or a desktop said is put on the page as text, never as markup.
"use strict";

const read = (id) => JSON.parse(document.getElementById(id).textContent);
const rollouts = read("rollouts");
const pictures = read("pictures");
const $ = (id) => document.getElementById(id);

const el = (name, attributes = {}, ...children) => {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
    else node.setAttribute(key, value === true ? "" : value);
  }
  node.append(...children.filter((child) => child !== null && child !== undefined));
  return node;
};
const img = (index, alt) => {
  const node = el("img", { alt });
  node.loading = "lazy";
  node.src = pictures[index];
  return node;
};
const known = (index) => index !== null && index !== undefined;
const seconds = (value) => (known(value) ? `${value < 10 ? value.toFixed(1) : Math.round(value)} s` : "–");
const number = (value) => String(Math.round(value * 1000) / 1000);

// --- the list -------------------------------------------------------------------------------------------------------

const classes = { success: "Success", partial: "Partial", fail: "Fail", invalid: "Invalid", error: "Error" };
const label = (one) => (known(one.score) ? `${classes[one.class]} ${number(one.score)}` : classes[one.class]);
const badge = (one) => el("span", { class: `badge ${one.class}` }, label(one));
const why = (one) => one.error || one.reasons.join("; ") || one.flags.join(", ");

const state = { text: "", class: "", domain: "", shown: [], open: -1, frame: 0 };

function matches(one) {
  const text = state.text.toLowerCase();
  return (
    (!state.class || one.class === state.class || (state.class === "flagged" && one.flags.length)) &&
    (!state.domain || one.domain === state.domain) &&
    (!text || `${one.id} ${one.instruction} ${why(one)} ${one.bad_gates.join(" ")}`.toLowerCase().includes(text))
  );
}

function row(one, place) {
  const cell = (text, attributes) => el("td", attributes, text);
  const last = one.frames.map((frame) => frame.picture).filter(known).pop();
  return el(
    "tr",
    {
      tabindex: place === 0 ? "0" : "-1",
      "data-place": place,
      "aria-label": `${label(one)}: ${one.instruction || one.id}, attempt ${one.attempt + 1}. Enter opens it.`,
      onclick: () => open(place),
      onkeydown: (event) => walk(event, place),
    },
    el("td", { class: "thumb hide-small" }, known(last) ? img(last, "") : null),
    el("td", {}, badge(one)),
    el("td", { class: "what" }, one.instruction || one.task_id, el("small", {}, one.task_id)),
    cell(one.domain, { class: "hide-small" }),
    cell(String(one.attempt + 1), { class: "num" }),
    cell(String(one.turns), { class: "num hide-small" }),
    cell(seconds(one.seconds), { class: "num hide-small" }),
    cell(why(one), { class: "why" }),
  );
}

function list() {
  state.shown = rollouts.filter(matches);
  $("rows").replaceChildren(...state.shown.map(row));
  $("nothing").hidden = state.shown.length > 0;
  $("count").textContent = `${state.shown.length} of ${rollouts.length} rollouts`;
}

function walk(event, place) {
  const to = { ArrowDown: place + 1, j: place + 1, ArrowUp: place - 1, k: place - 1, Home: 0, End: state.shown.length - 1 };
  if (event.key === "Enter" || event.key === " ") {
    event.preventDefault();
    open(place);
  } else if (event.key in to) {
    event.preventDefault();
    focusRow(to[event.key]);
  }
}

function focusRow(place) {
  const target = $("rows").children[place];
  if (!target) return;
  for (const one of $("rows").querySelectorAll("tr[tabindex='0']")) one.tabIndex = -1;
  target.tabIndex = 0;
  target.focus();
  target.scrollIntoView({ block: "nearest" });
}

function chips() {
  const made = ["", ...Object.keys(classes), "flagged"].map((name) => {
    const count = rollouts.filter((one) => !name || one.class === name || (name === "flagged" && one.flags.length)).length;
    if (name && !count) return null;
    return el(
      "button",
      {
        type: "button",
        "aria-pressed": String(state.class === name),
        onclick: (event) => {
          state.class = name;
          for (const chip of $("chips").children) chip.setAttribute("aria-pressed", String(chip === event.currentTarget));
          list();
        },
      },
      name ? classes[name] || "Flagged" : "All",
      el("span", {}, String(count)),
    );
  });
  $("chips").replaceChildren(...made.filter(Boolean));
}

// --- one rollout ----------------------------------------------------------------------------------------------------

const facts = (pairs) =>
  el("dl", {}, ...pairs.filter(([, value]) => known(value) && value !== "").flatMap(([name, value]) => [
    el("dt", {}, name),
    el("dd", {}, String(value)),
  ]));

function act(action) {
  const failed = known(action.returncode) && action.returncode !== 0;
  const nodes = [el("pre", { class: failed ? "bad" : null }, action.text)];
  const said = (failed ? action.error || action.output : action.output) || "";
  if (failed || said) nodes.push(el("pre", { class: "out" }, (failed ? `returncode ${action.returncode}\n` : "") + said));
  return nodes;
}

function turn(frame, place) {
  const title = frame.last ? "The screen at the end" : `Turn ${place + 1}`;
  return el(
    "li",
    { onclick: () => show(place), "data-place": place },
    el("header", {}, el("b", {}, title), known(frame.at) ? el("span", {}, seconds(frame.at)) : null,
      frame.signal ? el("span", { class: "badge flag" }, frame.signal) : null),
    frame.said ? el("p", { class: "said" }, frame.said) : null,
    ...frame.actions.flatMap(act),
  );
}

function side(one) {
  const gates = one.gates.map((gate) => {
    const status = ["passed", "pending"].includes(gate.status) ? gate.status : "failed";
    return el("span", { class: `gate ${status}`, title: gate.detail || gate.status }, gate.name);
  });
  const bad = one.gates.filter((gate) => gate.status !== "passed" && gate.detail);
  return [
    el("p", {}, one.instruction),
    facts([
      ["outcome", label(one)], ["why", why(one)], ["ended by", one.ended],
      ["trusted", one.trusted === null ? "the server makes no audit" : one.trusted ? "yes" : "no"],
      ["audit flags", one.flags.join(", ")], ["beyond scope", one.beyond.join(", ")], ["task", one.task_id], ["desktop", one.env], ["forked from", one.parent],
      ["seconds", `${seconds(one.seconds)}, of these ${seconds(one.play_seconds)} played`],
      ["tokens", one.usage], ["cost", one.cost],
    ]),
    ...(gates.length ? [el("h4", {}, "Gates"), el("div", { class: "gates" }, ...gates)] : []),
    ...bad.map((gate) => el("p", {}, `${gate.name}: ${gate.detail}`)),
    el("h4", {}, "Turns"),
    one.frames.length ? el("ol", { class: "turns" }, ...one.frames.map(turn)) : el("p", {}, "It did not come so far."),
  ];
}

function open(place, frame = 0) {
  const one = state.shown[place];
  if (!one) return;
  state.open = place;
  $("title").replaceChildren(badge(one), ` ${one.id}`);
  $("side").replaceChildren(...side(one));
  $("side").scrollTop = 0;
  $("strip").replaceChildren(...one.frames.map((each, index) => el(
    "button",
    { type: "button", "aria-label": each.last ? "The screen at the end" : `Turn ${index + 1}`, onclick: () => show(index) },
    known(each.picture) ? img(each.picture, "") : "left out",
    el("i", {}, each.last ? "end" : String(index + 1)),
  )));
  show(frame);
  if (!$("detail").open) $("detail").showModal();
  $("detail").focus();
  history.replaceState(null, "", `#${encodeURIComponent(one.id)}`);
}

function show(index) {
  const frames = state.shown[state.open].frames;
  state.frame = Math.max(0, Math.min(index, frames.length - 1));
  const frame = frames[state.frame];
  const view = $("screen");
  if (!frame || !known(frame.picture)) {
    const path = frame && frame.path;
    view.replaceChildren(el("p", { class: "gone" }, path ? `Left out of this page to keep it small: ${path}` : "No screenshot"));
  } else {
    const shown = el("div", { class: "frame" }, img(frame.picture, `The screen, ${frame.last ? "at the end" : `turn ${state.frame + 1}`}`));
    for (const [x, y] of frame.marks) {
      const mark = el("span", { class: "mark" });
      mark.style.left = `${x * 100}%`;
      mark.style.top = `${y * 100}%`;
      shown.append(mark);
    }
    view.replaceChildren(shown);
  }
  for (const node of [...$("strip").children, ...document.querySelectorAll("ol.turns li")]) {
    const own = "place" in node.dataset ? Number(node.dataset.place) : [...$("strip").children].indexOf(node);
    node.setAttribute("aria-current", String(own === state.frame));
    if (own === state.frame) node.scrollIntoView({ block: "nearest", inline: "nearest" });
  }
}

function keys(event) {
  const to = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  const other = { ArrowDown: 1, j: 1, n: 1, ArrowUp: -1, k: -1, p: -1 }[event.key];
  if (to) show(state.frame + to);
  else if (other && state.shown[state.open + other]) open(state.open + other);
  else return;
  event.preventDefault();
}

// --- begin ----------------------------------------------------------------------------------------------------------

$("search").addEventListener("input", (event) => { state.text = event.target.value; list(); });
$("domain").addEventListener("change", (event) => { state.domain = event.target.value; list(); });
for (const name of [...new Set(rollouts.map((one) => one.domain))].sort()) {
  $("domain").append(el("option", { value: name }, name));
}
$("detail").addEventListener("keydown", keys);
$("detail").addEventListener("click", (event) => { if (event.target === $("detail")) $("detail").close(); });
$("detail").addEventListener("close", () => {
  history.replaceState(null, "", "#");
  focusRow(state.open);
});
$("close").addEventListener("click", () => $("detail").close());
$("next").addEventListener("click", () => open(Math.min(state.open + 1, state.shown.length - 1)));
$("previous").addEventListener("click", () => open(Math.max(state.open - 1, 0)));
document.addEventListener("keydown", (event) => {
  if (event.key === "/" && !$("detail").open && document.activeElement !== $("search")) {
    event.preventDefault();
    $("search").focus();
  }
});
chips();
list();
$("browse").hidden = false;
const asked = decodeURIComponent(location.hash.slice(1));
if (asked) open(state.shown.findIndex((one) => one.id === asked));
