import { Html, html } from '@svc/core/html'
import type { ConsentStage, FactorProblem, ProofProblem } from './consent-stage.ts'

type Stage<Name extends ConsentStage['name']> = Extract<ConsentStage, { name: Name }>

/** The page's body if the application draws none. */
export function drawStage(stage: ConsentStage) {
  if (stage.name === 'consent') return consent(stage).toString()
  if (stage.name === 'proof') return proof(stage).toString()
  return (stage.name === 'step-up' ? stepUp(stage) : invalid(stage)).toString()
}

function consent(stage: Stage<'consent'>) {
  const problem = stage.isOnceMore
    ? html`<p class="problem" role="alert">Nothing was decided, because your session has changed. Check the request and choose again.</p>`
    : ''
  return html`
${new Html(consentStyle)}
<main>
<h1>Allow <bdi>${stage.clientName}</bdi> to use your account?</h1>
${problem}
<p>The program chose this name itself. Allow it only if you just asked for this and know where it redirects to.</p>
${facts(stage)}
${form(stage, '')}
<small>It never gets your password. You can disconnect it at any time in your account settings.</small>
</main>
`
}

const problems: Record<FactorProblem, string> = {
  wrong: 'This code is wrong or was already used. Enter the next one.',
  'too many': 'Too many wrong codes. Try again in a few minutes.',
  'no code':
    'Your second step is a passkey. This page can’t ask for it, and you have no recovery code. Sign out and sign in with the passkey. Then start again in the program that sent you here, within a few minutes.',
}

function stepUp(stage: Stage<'step-up'>) {
  const { problem } = stage
  const field = html`<p class="field">
<label for="factor">Code</label>
<input id="factor" name="factor" autocomplete="one-time-code" autocapitalize="none" spellcheck="false" maxlength="32" aria-describedby="factor-about" autofocus>
<small id="factor-about">The six digits of your authenticator app, or one of your recovery codes.</small>
</p>`
  return html`
${new Html(consentStyle)}
<main>
<h1>Confirm that it is you</h1>
<p>To allow <bdi>${stage.clientName}</bdi>, enter a code of your second step.</p>
${problem ? html`<p class="problem" role="alert">${problems[problem]}</p>` : ''}
${facts(stage)}
${form(stage, field)}
</main>
`
}

const proofProblems: Record<ProofProblem, string> = {
  'wrong password': 'This password is wrong.',
  'wrong code': 'This code is wrong or has expired. Request a new one.',
  'too many': 'Too many tries. Try again in a few minutes.',
}

function proof(stage: Stage<'proof'>) {
  const { problem } = stage
  return html`
${new Html(consentStyle)}
<main>
<h1>Confirm that it is you</h1>
<p>You signed in here a while ago. ${proofWords(stage)}</p>
${problem ? html`<p class="problem" role="alert">${proofProblems[problem]}</p>` : ''}
${facts(stage)}
${form(stage, proofField(stage), sendButton(stage))}
</main>
`
}

function proofWords({ hasPassword, codeTarget, isCodeSent, clientName }: Stage<'proof'>) {
  if (isCodeSent) {
    return html`To allow <bdi>${clientName}</bdi>, enter the code that was sent to ${codeTarget ?? 'you'}.`
  }
  if (hasPassword) return html`To allow <bdi>${clientName}</bdi>, enter your password.`
  if (codeTarget) return html`To allow <bdi>${clientName}</bdi>, send a code to ${codeTarget}.`
  return html`Sign out and sign in again. Then start again in the program that sent you here.`
}

function proofField({ hasPassword, isCodeSent }: Stage<'proof'>) {
  if (isCodeSent) {
    return html`<p class="field">
<label for="code">Code</label>
<input id="code" name="code" inputmode="numeric" autocomplete="one-time-code" maxlength="32" autofocus>
</p>`
  }
  if (!hasPassword) return ''
  return html`<p class="field">
<label for="password">Your password</label>
<input id="password" name="password" type="password" autocomplete="current-password" maxlength="1024" autofocus>
</p>`
}

/** After the other buttons: Enter in a field presses the first button of its form. */
function sendButton({ codeTarget, isCodeSent }: Stage<'proof'>) {
  if (!codeTarget) return ''
  const words = isCodeSent ? 'Send another code' : 'Send a code'
  return html`<p class="send"><button name="decision" value="code">${words} to ${codeTarget}</button></p>`
}

function facts({
  redirectHost,
  clientHost,
  scopes,
  account,
  resource,
}: Stage<'consent' | 'step-up' | 'proof'>) {
  const items = scopes.map(({ description }) => html`<li>${description}</li>`)
  return html`<dl>
<dt>It redirects to</dt><dd class="host">${destination(redirectHost)}</dd>
${clientHost ? html`<dt>It is identified by</dt><dd class="host">${clientHost}</dd>` : ''}
<dt>Your account</dt><dd>${account}</dd>
${isElsewhere(resource) ? html`<dt>What it can use</dt><dd>${resource}</dd>` : ''}
</dl>
<section aria-labelledby="may">
<h2 id="may">It will be able to</h2>
<ul>${items}</ul>
</section>`
}

/** The user knows which application this page belongs to. */
const isElsewhere = (resource: string) => !resource.startsWith('/')

const loopback = /^(?:127\.0\.0\.1|\[::1\]|localhost)(?::\d+)?$/

/** An app may give its scheme the name of another's host. */
function destination(host: string) {
  if (host.endsWith(':')) {
    return html`an app on this device <span class="detail">which opens <code>${host}</code></span>`
  }
  if (!loopback.test(host)) return html`<strong>${host}</strong>`
  return html`a program on this device <span class="detail">at <code>${host}</code></span>`
}

function form(
  { hiddenFields }: Stage<'consent' | 'step-up' | 'proof'>,
  field: Html | '',
  below: Html | '' = '',
) {
  return html`<form method="post" action="?">
${new Html(hiddenFields)}
${field}
<div class="choice">
<button name="decision" value="allow">Allow</button>
<button name="decision" value="deny">Deny</button>
</div>
${below}
</form>`
}

function invalid({ description }: Stage<'invalid'>) {
  return html`
<main>
<h1>This request does not work</h1>
<p>${description}</p>
<p>Nothing was allowed. Start again in the program that sent you here. If this happens again, tell the people who make it.</p>
<p><a href="/">Go to the start page</a></p>
</main>
`
}

/** The decision is made, and the browser takes it to the client. */
export function drawReturn(redirectTo: string) {
  return html`
<main>
<h1>Going back</h1>
<p>We are sending you back to the program that sent you here. If nothing happens,
<a href="${redirectTo}">continue yourself</a>.</p>
<small>Then you can close this page.</small>
</main>
`.toString()
}

/** The API does not answer, which says nothing about the request. */
export function drawUnavailable(query: string) {
  return html`
<main>
<h1>This does not work right now</h1>
<p>We could not reach the service. Nothing was decided. Try again in a minute.</p>
<p><a href="?${query}">Try again</a></p>
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
