// Our own small pictures, drawn in the colour of the words beside them: not every machine has a font with emoji.

const SVG = "http://www.w3.org/2000/svg";
const PATHS = {
  agent: "M6 9h12v9H6z M12 9V5 M10.5 4.5h3 M9.5 13v1 M14.5 13v1 M3.5 12.5v3 M20.5 12.5v3",
  user: "M6 11h12v9H6z M8.5 11V8a3.5 3.5 0 0 1 7 0v3 M12 14.5v2.5",
  shared: "M8.5 12a3 3 0 1 0 0-6 3 3 0 0 0 0 6z M2.5 19a6 6 0 0 1 12 0 M15.5 6.3a3 3 0 0 1 0 5.4 M17 14a6 6 0 0 1 4.5 5",
  public: "M12 20.5a8.5 8.5 0 1 0 0-17 8.5 8.5 0 0 0 0 17z M3.5 12h17 M12 3.5c5 5 5 12 0 17c-5-5-5-12 0-17z",
  kb: "M12 6.5C10 5 7 4.7 4 5v13c3-.3 6 0 8 1.5c2-1.5 5-1.8 8-1.5V5c-3-.3-6 0-8 1.5z M12 6.5v13",
  eye: "M2.5 12c4-7 15-7 19 0c-4 7-15 7-19 0z M12 14.8a2.8 2.8 0 1 0 0-5.6 2.8 2.8 0 0 0 0 5.6z",
  image: "M4 5h16v14H4z M4 16l5-5 4 4 3-2.5 4 3.5 M15.5 9.2v.1",
};

// A picture that says nothing by itself: the words beside it do.
export function icon(name) {
  const made = document.createElementNS(SVG, "svg");
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("d", PATHS[name]);
  made.append(path);
  for (const [key, value] of Object.entries({ viewBox: "0 0 24 24", class: "icon", "aria-hidden": "true" })) made.setAttribute(key, value);
  return made;
}
