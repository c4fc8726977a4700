"use strict";
// Without this script all steps stand in a column; with it one is shown at a time.
const walks = [...document.querySelectorAll(".walk")].map((walk) => {
  const find = (name) => walk.querySelector(name);
  const steps = [...walk.querySelectorAll(".step")];
  const slider = find("input");
  const show = (number, told = true) => {
    const at = Math.min(Math.max(number, 1), steps.length);
    slider.value = at;
    const name = steps[at - 1].dataset.name;
    slider.setAttribute("aria-valuetext", name);
    if (told) find(".where").textContent = name;
    find(".back").disabled = at === 1;
    find(".on").disabled = at === steps.length;
    steps.forEach((step, index) => step.classList.toggle("away", index !== at - 1));
  };
  const move = (by) => show(Number(slider.value) + by);
  find(".back").addEventListener("click", () => move(-1));
  find(".on").addEventListener("click", () => move(1));
  slider.addEventListener("input", () => move(0));
  find(".all").addEventListener("click", (event) => {
    const column = walk.classList.toggle("column");
    event.currentTarget.setAttribute("aria-pressed", String(column));
    slider.disabled = column;
  });
  find(".stepper").hidden = steps.length < 2;
  walk.classList.add("stepping");
  show(steps.length, false);
  return { walk, move, steps, show };
});

// The arrow keys move the failure that is being read, unless something else wants them.
document.addEventListener("keydown", (event) => {
  const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  const busy = event.target.closest("input, pre, .scrolls") || event.altKey || event.ctrlKey;
  if (!by || busy || event.metaKey || event.shiftKey) return;
  const read = walks.filter(({ walk }) => {
    const { top, bottom } = walk.getBoundingClientRect();
    return top < innerHeight && bottom > 0 && !walk.classList.contains("column");
  });
  if (read.length) read[0].move(by);
});

// A link to a step shows that step.
const follow = () => {
  for (const { steps, show } of walks) {
    const at = steps.findIndex((step) => `#${step.id}` === location.hash);
    if (at >= 0) show(at + 1);
  }
};
addEventListener("hashchange", follow);
follow();

addEventListener("beforeprint", () => {
  for (const each of document.querySelectorAll("details")) each.open = true;
});
