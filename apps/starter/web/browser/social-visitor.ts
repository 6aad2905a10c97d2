import { randomInt, randomUUID } from 'node:crypto'
import { onTestFinished } from 'vitest'
import { app } from './running-web-app.ts'
import type { Visitor } from './visitor.ts'

export type Provider = keyof typeof names

const names = { google: 'Google', github: 'GitHub' }

export const nameOf = (provider: Provider) => names[provider]

/**
 * A person with accounts at both providers, with the same email. From now on, every visit to a
 * provider is theirs.
 */
export function somebodyThere(email = `${randomUUID()}@example.com`) {
  const { google, github } = app.providers
  google.setUser({ sub: randomUUID(), email, email_verified: true, name: 'Ada' })
  github.setUser({ id: randomInt(2 ** 31), emails: [{ email, primary: true, verified: true }] })
  return { email }
}

/** The user refuses at this provider, until the test is over. */
export function refuseConsent(provider: Provider) {
  const there = app.providers[provider]
  there.setConsent(false)
  onTestFinished(() => there.setConsent(true))
}

export async function continueWith(
  { open, click }: Visitor,
  provider: Provider,
  path = '/login?returnTo=%2Faccount',
) {
  await open(path)
  await click(`Continue with ${nameOf(provider)}`)
}

/** The user who is signed in in a browser, as the API says. */
export async function signedInAs({ page }: Visitor) {
  const answer = await page.request.get(`${app.web}/api/rpc/getAuthSession`)
  return answer.json() as Promise<{ userId: string; email: string; keyId: string }>
}
