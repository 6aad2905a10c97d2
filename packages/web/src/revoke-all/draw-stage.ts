import { Html, html } from '@svc/core/html'
import type { PageWords } from './page-words.ts'

/** What the page must show. */
export type RevokeAllStage =
  | {
      readonly name: 'confirm'
      /** When the link expires. */
      readonly expiresAt: Date
      /** How many devices it would sign out. */
      readonly activeKeyCount: number
      /** HTML that must be, unchanged, in the form with the button. */
      readonly hiddenFields: string
    }
  | { readonly name: 'done'; readonly revokedCount: number }
  /** The link is refused. The page doesn't say why. */
  | { readonly name: 'invalid' }

/** The page's body if the application draws none. */
export function drawStage(stage: RevokeAllStage, words: PageWords) {
  if (stage.name === 'confirm') return confirm(stage, words).toString()
  return (stage.name === 'done' ? done(stage.revokedCount, words) : invalid(words)).toString()
}

type Confirm = Extract<RevokeAllStage, { name: 'confirm' }>

function confirm({ expiresAt, activeKeyCount, hiddenFields }: Confirm, words: PageWords) {
  return html`
<main>
<h1>${words.question}</h1>
<p>${words.signedIn(activeKeyCount)} ${words.password}</p>
<form method="post" action="?">
${new Html(hiddenFields)}
<button>${words.button}</button>
</form>
<small>${words.untilBefore}<time datetime="${expiresAt.toISOString()}">${clockTime(expiresAt, words)}</time>${words.untilAfter}</small>
</main>
`
}

function done(revokedCount: number, words: PageWords) {
  return html`
<main>
<h1>${words.done}</h1>
<p>${words.signedOut(revokedCount)} ${words.advice}</p>
<p><a href="/">${words.start}</a></p>
</main>
`
}

function invalid(words: PageWords) {
  return html`
<main>
<h1>${words.invalid}</h1>
<p>${words.reason}</p>
<p><a href="/">${words.start}</a></p>
</main>
`
}

/** The API does not answer, which says nothing about the link. */
export function drawUnavailable(token: string, words: PageWords) {
  return html`
<main>
<h1>${words.unavailable}</h1>
<p>${words.later}</p>
<p><a href="?${new URLSearchParams({ token }).toString()}">${words.retry}</a></p>
</main>
`.toString()
}

/** The server doesn't know the reader's time zone. */
function clockTime(moment: Date, { dateLocale }: PageWords) {
  const format = { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' } as const
  return `${new Intl.DateTimeFormat(dateLocale, format).format(moment)} UTC`
}
