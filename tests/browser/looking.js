// What the tests ask a page, evaluated in it. One function for each question.
({
  pale: () => {
    const parse = (text) => {
      const [r, g, b, a = 1] = (text.match(/[\d.]+/g) ?? [0, 0, 0, 0]).map(Number);
      return text.startsWith("color(") ? [r * 255, g * 255, b * 255, a] : [r, g, b, a];
    };
    const over = (top, low) => [0, 1, 2].map((i) => top[i] * top[3] + low[i] * (1 - top[3])).concat(1);
    const ground = (node) => {
      const layers = [];
      for (let at = node; at; at = at.parentElement) layers.push(parse(getComputedStyle(at).backgroundColor));
      return layers.reverse().reduce((low, top) => over(top, low), [255, 255, 255, 1]);
    };
    const light = (colour) => {
      const [r, g, b] = colour.map((each) => { const c = each / 255; return c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4; });
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const ratio = (one, two) => { const [a, b] = [light(one), light(two)].sort((x, y) => y - x); return (a + 0.05) / (b + 0.05); };
    const pale = [];
    const check = (node, style, words) => {
      const low = ground(node);
      const found = ratio(over(parse(style.color), low), low);
      const big = parseFloat(style.fontSize) >= 24 || (parseFloat(style.fontSize) >= 18.66 && style.fontWeight >= 700);
      if (found < (big ? 3 : 4.5)) pale.push(`${words.trim().slice(0, 30)}: ${found.toFixed(2)}`);
    };
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const node = walker.currentNode.parentElement;
      if (!walker.currentNode.data.trim() || !node.checkVisibility({ opacityProperty: true }) || node.closest("option, script, noscript, :disabled")) continue;
      check(node, getComputedStyle(node), walker.currentNode.data);
    }
    for (const node of document.querySelectorAll("[placeholder]:enabled")) {
      if (node.checkVisibility()) check(node, getComputedStyle(node, "::placeholder"), node.placeholder);
    }
    return pale;
  },

  nameless: () => [...document.querySelectorAll("button, a, input, select, textarea, [tabindex='0'], nav, aside, dialog, [role]")]
    .filter((node) => node.checkVisibility() && !["presentation", "group", "alert", "status"].includes(node.getAttribute("role")))
    .filter((node) => {
      const by = (node.getAttribute("aria-labelledby") ?? "").split(" ").map((id) => document.getElementById(id)?.textContent ?? "").join("");
      const own = ["BUTTON", "A"].includes(node.tagName) ? node.textContent : "";
      return !(node.getAttribute("aria-label") || by || own || node.labels?.[0]?.textContent || "").trim();
    })
    .map((node) => node.outerHTML.slice(0, 90)),

  where: () => {
    const at = document.activeElement;
    const region = at.closest(".top, .side, main, .panel, dialog")?.className || at.closest("main")?.tagName || "none";
    return [region, at.getAttribute("aria-label") || at.id || at.textContent.trim().slice(0, 40)];
  },
})
