import type { AuthApi } from '@svc/auth'
import { Html, html } from '@svc/core/html'

type Input = NonNullable<Parameters<AuthApi['getOAuth2Authorize']['call']>[0]>

/** What a client asks for, as it stands in the address that it has opened. */
export type AskedFields = NonNullable<Input['query']>

// Each of them, or this does not compile: what is lost on the way would not be part of what is allowed.
const asked = {
  response_type: true,
  client_id: true,
  redirect_uri: true,
  scope: true,
  state: true,
  code_challenge: true,
  code_challenge_method: true,
  resource: true,
  dpop_jkt: true,
} satisfies Record<keyof AskedFields, true>

export function readAskedFields(given: URLSearchParams): AskedFields {
  const found = Object.keys(asked).map((name) => [name, given.get(name)] as const)
  return Object.fromEntries(found.filter(([, value]) => value !== null))
}

export function queryOf(fields: AskedFields) {
  return new URLSearchParams(fields).toString()
}

/** What the page's form sends again, so that what is allowed is what was shown. */
export function hiddenFields(fields: AskedFields, csrf: string) {
  const inputs = Object.entries({ ...fields, csrf }).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  )
  return new Html(inputs.join('')).toString()
}
