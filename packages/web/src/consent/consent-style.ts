/** Two choices of the same weight, and above them who asks for what. */
export const consentStyle = `<style>
h1, dd { overflow-wrap: anywhere; }
h2 { font: inherit; font-weight: 500; }
dl {
  display: grid;
  grid-template-columns: max-content minmax(0, 1fr);
  gap: 0.5rem 1.25rem;
  padding: 1rem 1.25rem;
  border: 1px solid var(--line);
  border-radius: 0.5rem;
  background: var(--paper);
}
dt, .detail { color: var(--faded); }
.host { font-weight: 500; }
.detail { display: block; font-weight: 400; font-size: 0.875rem; }
code { font: 0.9375em ui-monospace, SFMono-Regular, Menlo, monospace; }
ul { display: grid; gap: 0.25rem; margin-top: 0.5rem; padding-left: 1.25rem; }
form { display: grid; gap: 1.25rem; }
.choice { display: grid; grid-template-columns: 1fr 1fr; gap: 0.75rem; }
.choice button {
  width: 100%;
  border: 1px solid var(--faded);
  background: var(--sheet);
  color: var(--ink);
}
.choice button:hover { background: var(--paper); opacity: 1; }
.send button {
  border: 0;
  background: none;
  padding-inline: 0;
  color: var(--ink);
  font-weight: 400;
  text-decoration: underline;
}
.field { display: grid; gap: 0.375rem; }
label { font-weight: 500; }
input {
  width: 100%;
  padding: 0.625rem 0.75rem;
  border: 1px solid var(--faded);
  border-radius: 0.5rem;
  background: var(--sheet);
  color: inherit;
  font: inherit;
  letter-spacing: 0.05em;
}
.problem { padding-left: 0.875rem; border-left: 3px solid var(--accent); }
@media (max-width: 30rem) {
  dl { grid-template-columns: minmax(0, 1fr); gap: 0; }
  dd + dt { margin-top: 0.625rem; }
}
</style>`
