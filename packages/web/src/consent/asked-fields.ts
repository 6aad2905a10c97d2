import type { AuthApi } from '@svc/auth'
import { Html, html } from '@svc/core/html'

type Input = NonNullable<Parameters<AuthApi['getOAuth2Authorize']['call']>[0]>

/** What a client asks for, as it stands in the address that it has opened. */
export type AskedFields = NonNullable<Input['query']>

const names = [
  'response_type',
  'client_id',
  'redirect_uri',
  'scope',
  'state',
  'code_challenge',
  'code_challenge_method',
  'resource',
] as const satisfies (keyof AskedFields)[]

export function readAskedFields(given: URLSearchParams): AskedFields {
  const found = names.map((name) => [name, given.get(name)] as const)
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
