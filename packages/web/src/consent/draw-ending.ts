import { html } from '@svc/core/html'

/** The decision is made, and the browser takes it to the client. */
export function drawReturn(redirectTo: string) {
  return html`
<main>
<h1>Going back</h1>
<p>You are on your way back to the program that has sent you here. If it does not come up,
<a href="${redirectTo}">go on yourself</a>.</p>
<small>After that you can close this page.</small>
</main>
`.toString()
}

/** The API does not answer, which says nothing about the request. */
export function drawUnavailable(query: string) {
  return html`
<main>
<h1>This does not work right now</h1>
<p>We could not reach the service that does it. Try again in a minute: nothing was decided.</p>
<p><a href="?${query}">Try again</a></p>
</main>
`.toString()
}
