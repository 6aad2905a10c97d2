import { Html, html } from '@svc/core/html'
import type { ConsentStage } from './consent-stage.ts'
import type { PageWords } from './page-words.ts'

type Stage<Name extends ConsentStage['name']> = Extract<ConsentStage, { name: Name }>

/** The page's body if the application draws none. */
export function drawStage(stage: ConsentStage, words: PageWords) {
  if (stage.name === 'consent') return consent(stage, words).toString()
  if (stage.name === 'proof') return proof(stage, words).toString()
  return (stage.name === 'step-up' ? stepUp(stage, words) : invalid(stage, words)).toString()
}

const nameOf = ({ clientName }: { clientName: string }) => html`<bdi>${clientName}</bdi>`

const alert = (problem: string | false | undefined) =>
  problem ? html`<p class="problem" role="alert">${problem}</p>` : ''

function consent(stage: Stage<'consent'>, words: PageWords) {
  return html`
${new Html(consentStyle)}
<main>
<h1>${stage.signIn ? words.signIn(nameOf(stage)) : words.question(nameOf(stage))}</h1>
${alert(stage.isOnceMore && words.onceMore)}
<p>${stage.signIn ? words.signInCaution : words.caution}</p>
${facts(stage, words)}
${form(stage, words, { field: ownerField(stage, words) })}
${stage.signIn ? '' : html`<small>${words.settings}</small>`}
</main>
`
}

/** Empty where there is no choice. */
function ownerField({ owners }: Stage<'consent'>, words: PageWords) {
  if (owners.length === 0) return ''
  const choices = owners.map(
    ({ id, name }) =>
      html`<label><input type="radio" name="owner" value="${id}"> <bdi>${name}</bdi></label>`,
  )
  return html`<fieldset aria-describedby="owner-about">
<legend>${words.owner}</legend>
<label><input type="radio" name="owner" value="" checked> ${words.yourself}</label>
${choices}
<small id="owner-about">${words.ownerAbout}</small>
</fieldset>`
}

function stepUp(stage: Stage<'step-up'>, words: PageWords) {
  const { problem } = stage
  const field = html`<p class="field">
<label for="factor">${words.code}</label>
<input id="factor" name="factor" autocomplete="one-time-code" autocapitalize="none" spellcheck="false" maxlength="32" aria-describedby="factor-about" autofocus>
<small id="factor-about">${words.factorAbout}</small>
</p>`
  return html`
${new Html(consentStyle)}
<main>
<h1>${words.confirm}</h1>
<p>${words.enterFactor(nameOf(stage))}</p>
${alert(problem && words.factorProblems[problem])}
${facts(stage, words)}
${form(stage, words, { field })}
</main>
`
}

function proof(stage: Stage<'proof'>, words: PageWords) {
  const { problem } = stage
  return html`
${new Html(consentStyle)}
<main>
<h1>${words.confirm}</h1>
<p>${words.longAgo} ${whatToProve(stage, words)}</p>
${alert(problem && words.proofProblems[problem])}
${facts(stage, words)}
${form(stage, words, { field: proofField(stage, words), below: sendButton(stage, words) })}
</main>
`
}

function whatToProve(stage: Stage<'proof'>, words: PageWords) {
  const { hasPassword, codeTarget, isCodeSent } = stage
  if (isCodeSent && codeTarget) return words.enterCode(nameOf(stage), codeTarget)
  if (hasPassword) return words.enterPassword(nameOf(stage))
  return codeTarget ? words.sendFirst(nameOf(stage), codeTarget) : words.signInAgain
}

function proofField({ hasPassword, isCodeSent }: Stage<'proof'>, words: PageWords) {
  if (isCodeSent) {
    return html`<p class="field">
<label for="code">${words.code}</label>
<input id="code" name="code" inputmode="numeric" autocomplete="one-time-code" maxlength="32" autofocus>
</p>`
  }
  if (!hasPassword) return ''
  return html`<p class="field">
<label for="password">${words.password}</label>
<input id="password" name="password" type="password" autocomplete="current-password" maxlength="1024" autofocus>
</p>`
}

/** After the other buttons: Enter in a field presses the first button of its form. */
function sendButton({ codeTarget, isCodeSent }: Stage<'proof'>, words: PageWords) {
  if (!codeTarget) return ''
  const label = isCodeSent ? words.sendAgain(codeTarget) : words.send(codeTarget)
  return html`<p class="send"><button name="decision" value="code">${label}</button></p>`
}

function facts(stage: Stage<'consent' | 'step-up' | 'proof'>, words: PageWords) {
  const { redirectHost, clientHost, scopes, account, owner, resource } = stage
  const items = scopes.map(({ description }) => html`<li>${description}</li>`)
  return html`<dl>
<dt>${words.redirectsTo}</dt><dd class="host">${destination(redirectHost, words)}</dd>
${clientHost ? html`<dt>${words.identifiedBy}</dt><dd class="host">${clientHost}</dd>` : ''}
<dt>${words.account}</dt><dd>${account}</dd>
${owner ? html`<dt>${words.owner}</dt><dd><bdi>${owner.name}</bdi></dd>` : ''}
${isElsewhere(resource) ? html`<dt>${words.resource}</dt><dd>${resource}</dd>` : ''}
</dl>
<section aria-labelledby="may">
<h2 id="may">${words.scopes}</h2>
<ul>${items}</ul>
</section>`
}

/** The user knows which application this page belongs to. */
const isElsewhere = (resource: string) => !resource.startsWith('/')

const loopback = /^(?:127\.0\.0\.1|\[::1\]|localhost)(?::\d+)?$/

/** An app may give its scheme the name of another's host. */
function destination(host: string, words: PageWords) {
  const code = html`<code>${host}</code>`
  if (host.endsWith(':')) {
    return html`${words.app} <span class="detail">${words.opens(code)}</span>`
  }
  if (!loopback.test(host)) return html`<strong>${host}</strong>`
  return html`${words.program} <span class="detail">${words.at(code)}</span>`
}

interface Parts {
  field?: Html | ''
  /** Beneath the two choices. */
  below?: Html | ''
}

function form(
  { hiddenFields }: Stage<'consent' | 'step-up' | 'proof'>,
  words: PageWords,
  { field = '', below = '' }: Parts = {},
) {
  return html`<form method="post" action="?">
${new Html(hiddenFields)}
${field}
<div class="choice">
<button name="decision" value="allow">${words.allow}</button>
<button name="decision" value="deny">${words.deny}</button>
</div>
${below}
</form>`
}

function invalid({ description }: Stage<'invalid'>, words: PageWords) {
  return html`
<main>
<h1>${words.invalid}</h1>
<p>${description}</p>
<p>${words.nothing}</p>
<p><a href="/">${words.start}</a></p>
</main>
`
}

/** The decision is made, and the browser takes it to the client. */
export function drawReturn(redirectTo: string, words: PageWords) {
  return html`
<main>
<h1>${words.returning}</h1>
<p>${words.goOn(redirectTo)}</p>
<small>${words.close}</small>
</main>
`.toString()
}

/** The API does not answer, which says nothing about the request. */
export function drawUnavailable(query: string, words: PageWords) {
  return html`
<main>
<h1>${words.unavailable}</h1>
<p>${words.later}</p>
<p><a href="?${query}">${words.retry}</a></p>
</main>
`.toString()
}

/** Two choices of the same weight, and above them which client asks for what. */
const consentStyle = `<style>
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
label, legend { font-weight: 500; }
fieldset { display: grid; gap: 0.5rem; padding: 0; border: 0; }
fieldset label { display: flex; gap: 0.625rem; font-weight: 400; overflow-wrap: anywhere; }
fieldset input { flex: none; width: 1.125rem; height: 1.125rem; margin: 0.1875rem 0 0; }
input:not([type="radio"]) {
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
