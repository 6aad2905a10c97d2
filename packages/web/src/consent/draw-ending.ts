import { html } from '@svc/core/html'

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
