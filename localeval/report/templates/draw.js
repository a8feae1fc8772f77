(() => {
  "use strict";
  const theme = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  for (const figure of document.querySelectorAll("figure")) {
    const place = figure.querySelector(".chart");
    const spec = JSON.parse(figure.querySelector("script").textContent);
    // ast: expressions are interpreted, not compiled, so that the page needs no right to evaluate text
    vegaEmbed(place, spec, {actions: false, ast: true, renderer: "svg", tooltip: {theme}}).catch((error) => {
      place.textContent = `The chart could not be drawn (${error.message}); its numbers are in the table below.`;
    });
  }
  const opened = [];
  addEventListener("beforeprint", () => {
    for (const details of document.querySelectorAll("details:not([open])")) {
      details.open = true;
      opened.push(details);
    }
  });
  addEventListener("afterprint", () => {
    for (const details of opened.splice(0)) details.open = false;
  });
})();
