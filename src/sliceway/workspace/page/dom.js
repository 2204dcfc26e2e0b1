// Making elements. Text is always set as text, never parsed as HTML: what people say is data.

export function h(tag, props, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(props ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name === "class") element.className = value;
    else if (name === "data") Object.assign(element.dataset, value);
    else if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (["value", "checked", "selected", "disabled", "hidden", "open"].includes(name)) element[name] = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

export const $ = (id) => document.getElementById(id);

// One call a frame, however many ask for it.
export function framed(work) {
  let asked = false;
  return () => {
    if (asked) return;
    asked = true;
    requestAnimationFrame(() => {
      asked = false;
      work();
    });
  };
}

export function avatar(person) {
  const name = person?.real_name || person?.name || "?";
  const initials = name.split(/\s+/).map((word) => word[0]).slice(0, 2).join("");
  const tone = [...(person?.id ?? "?")].reduce((sum, letter) => sum + letter.codePointAt(0), 0) % 6;
  return h("span", { class: `avatar tone-${tone}${person?.role === "bot" ? " bot" : ""}`, "aria-hidden": "true" }, initials);
}

export function time(ts) {
  return new Date(Number(ts) * 1000).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
}

let announced = 0;

// Says something to those who listen instead of look. Two regions by turns, so that a repeated sentence is said again.
export function announce(words) {
  announced = (announced + 1) % 2;
  $(`said-${announced}`).textContent = words;
  $(`said-${1 - announced}`).textContent = "";
}
