import { Html, html } from '@svc/core/html'

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
export function drawStage(stage: RevokeAllStage) {
  if (stage.name === 'confirm') return confirm(stage).toString()
  return (stage.name === 'done' ? done(stage.revokedCount) : invalid).toString()
}

type Confirm = Extract<RevokeAllStage, { name: 'confirm' }>

function confirm({ expiresAt, activeKeyCount, hiddenFields }: Confirm) {
  return html`
<main>
<h1>Sign out everywhere?</h1>
<p>${devices(activeKeyCount, 'is', 'are')} signed in to your account. ${afterwards(activeKeyCount)} Your password stays
as it is.</p>
<form method="post" action="?">
${new Html(hiddenFields)}
<button>Sign out everywhere</button>
</form>
<small>The link works once, until <time datetime="${expiresAt.toISOString()}">${clockTime(expiresAt)}</time>. To keep your devices signed in, close the page. Nothing has changed.</small>
</main>
`
}

function done(revokedCount: number) {
  return html`
<main>
<h1>Signed out everywhere</h1>
<p>${devices(revokedCount, 'was', 'were')} signed out. If someone else may know your password, choose another one when you sign in again.</p>
<p><a href="/">Go to the start page</a></p>
</main>
`
}

const invalid = html`
<main>
<h1>This link does not work</h1>
<p>It may have expired, been used before, or been replaced by a newer one. Request another link, or sign out your other devices from one that is signed in.</p>
<p><a href="/">Go to the start page</a></p>
</main>
`

/** The API does not answer, which says nothing about the link. */
export function drawUnavailable(token: string) {
  return html`
<main>
<h1>This does not work right now</h1>
<p>We could not reach the service. Your link still works. Try again in a minute.</p>
<p><a href="?${new URLSearchParams({ token }).toString()}">Try again</a></p>
</main>
`.toString()
}

function devices(count: number, one: string, many: string) {
  if (count === 0) return `No device ${one}`
  return count === 1 ? `One device ${one}` : `${count} devices ${many}`
}

function afterwards(count: number) {
  if (count === 0) return ''
  return count === 1 ? 'It must sign in again.' : 'They must sign in again.'
}

/** The server doesn't know the reader's time zone. */
function clockTime(moment: Date) {
  const format = { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' } as const
  return `${new Intl.DateTimeFormat('en-GB', format).format(moment)} UTC`
}
