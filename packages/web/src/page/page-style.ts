export const pageStyle = `
:root {
  color-scheme: light dark;
  --paper: oklch(0.977 0.006 95);
  --sheet: oklch(0.997 0.002 95);
  --ink: oklch(0.24 0.02 160);
  --faded: oklch(0.49 0.018 160);
  --line: oklch(0.89 0.01 120);
  --accent: oklch(0.46 0.095 162);
  --on-accent: oklch(0.99 0.005 160);
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: oklch(0.19 0.012 165);
    --sheet: oklch(0.235 0.014 165);
    --ink: oklch(0.93 0.008 120);
    --faded: oklch(0.71 0.016 150);
    --line: oklch(0.33 0.016 165);
    --accent: oklch(0.77 0.12 162);
    --on-accent: oklch(0.19 0.03 165);
  }
}
* { box-sizing: border-box; margin: 0; }
body {
  min-height: 100dvh;
  padding: clamp(1.25rem, 12vh, 7rem) 1.25rem 3rem;
  background: var(--paper);
  color: var(--ink);
  font: 1rem/1.6 ui-sans-serif, system-ui, sans-serif;
  -webkit-font-smoothing: antialiased;
}
main {
  display: grid;
  gap: 1.25rem;
  max-width: 34rem;
  margin: 0 auto;
  padding: clamp(1.5rem, 6vw, 2.5rem);
  border: 1px solid var(--line);
  border-radius: 0.75rem;
  background: var(--sheet);
}
h1 {
  font: 400 clamp(1.75rem, 7vw, 2.25rem)/1.15 "Iowan Old Style", "Palatino Linotype", Palatino,
    "URW Palladio L", ui-serif, Georgia, serif;
  letter-spacing: -0.025em;
  text-wrap: balance;
}
p { text-wrap: pretty; }
small { display: block; color: var(--faded); font-size: 0.875rem; }
a { color: var(--accent); text-underline-offset: 0.25em; }
button {
  padding: 0.625rem 1.25rem;
  border: 0;
  border-radius: 0.5rem;
  background: var(--accent);
  color: var(--on-accent);
  font: inherit;
  font-weight: 500;
  cursor: pointer;
}
button:hover { opacity: 0.9; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 3px; }
@media (max-width: 30rem) {
  button { width: 100%; }
}
@media (forced-colors: active) {
  button { border: 1px solid; }
}
`
