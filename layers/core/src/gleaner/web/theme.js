// Light, dark, or as the system likes it.

const THEMES = ["system", "light", "dark"];
const KEY = "gleaner-theme";

/** Make a button turn through the themes; the choice is kept. */
export function keepTheme(button) {
  const apply = (theme) => {
    document.documentElement.dataset.theme = theme;
    button.querySelector(".theme-name").textContent = `: ${theme}`;
  };
  const kept = localStorage.getItem(KEY);
  apply(THEMES.includes(kept) ? kept : "system");
  button.addEventListener("click", () => {
    const next = THEMES[(THEMES.indexOf(document.documentElement.dataset.theme) + 1) % THEMES.length];
    localStorage.setItem(KEY, next);
    apply(next);
  });
}
