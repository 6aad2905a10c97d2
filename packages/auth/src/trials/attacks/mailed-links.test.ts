import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { orFew } from '../../../../../scripts/test/or-few.ts'
import { flows, stepsOf } from '../../links/testing/links.ts'
import { createRevokeAllLink } from '../../revoke-all/revoke-all.ts'
import { routeMap } from '../../route-map.generated.ts'
import { startTestAuth, type TestAuth } from '../../testing.ts'
import { shuffled } from '../shuffled.ts'

let auth: TestAuth
beforeAll(async () => {
  auth = await startTestAuth()
})
afterAll(() => auth.stop())

describe('a mail scanner', () => {
  /** Looks at the page of a link, and at the operations that its token is for. */
  async function scan(token: string, page: string, names: (keyof typeof routeMap)[]) {
    for (const path of [page, ...names.map((name) => routeMap[name].path)]) {
      const looks = ['GET', 'HEAD', 'POST'].map((method) =>
        auth.fetch(`${path}?token=${token}`, { method }),
      )
      for (const { status } of await Promise.all(looks)) expect(status).toBeGreaterThanOrEqual(400)
    }
  }
  const scanSignup = (token: string) =>
    scan(token, '/signup/confirm', ['confirmSignupLink', 'completeSignup'])
  const scanReset = (token: string) =>
    scan(token, '/password/reset', ['confirmPasswordReset', 'completePasswordReset'])
  const scanOut = (token: string) =>
    scan(token, '/account/revoke-all', ['confirmRevokeAllLink', 'consumeRevokeAllLink'])

  it('that opens every link twenty times spends none of them', async () => {
    const signup = stepsOf(auth, 'signup')
    const reset = stepsOf(auth, 'reset')
    const newcomer = 'scanned@example.com'
    const { userId, key } = await auth.signedInUser()
    const other = await auth.createUser()
    const out = new URL((await createRevokeAllLink(userId)).url).searchParams.get('token') ?? ''
    const newLink = await signup.token(newcomer)
    const resetLink = await reset.token(other.email)
    for (let times = 0; times < 20; times++) {
      await Promise.all([scanSignup(newLink), scanReset(resetLink), scanOut(out)])
    }

    expect((await auth.call('getAuthSession', undefined, key)).status).toBe(200)
    expect(await auth.call('confirmRevokeAllLink', { token: out })).toMatchObject({
      status: 200,
      body: { activeKeyCount: 1 },
    })
    expect((await auth.call('consumeRevokeAllLink', { token: out })).status).toBe(200)
    for (const [{ open, finish }, token] of [
      [signup, newLink],
      [reset, resetLink],
    ] as const) {
      const { setupSecret } = (await open(token)).body
      expect((await finish(setupSecret)).status).toBe(200)
    }
  })
})

/** How likely it is that one of the first took longer than one of the second: a half where nobody can tell. */
function likelihood(first: readonly number[], second: readonly number[]) {
  const won = first.map(
    (one) =>
      second.filter((other) => one > other).length +
      second.filter((other) => one === other).length / 2,
  )
  return won.reduce((sum, each) => sum + each, 0) / (first.length * second.length)
}

describe('the time of an answer tells no account from none', () => {
  const samples = 80
  // Four standard errors of so many samples; a look at a password, or at a provider, is all the way at 0 or 1.
  const most = 0.18
  // Nobody listens on a port that nobody may use without being root.
  const providers = { 'is up': {}, 'is down': { SVC_MAIL_URL: 'smtp://127.0.0.1:1' } }

  it.each(orFew(Object.entries(providers)))(
    'while the mail provider %s',
    async (_how, env) => {
      const at = await startTestAuth({ env })
      const { email: existing } = await at.createUser()
      const absent = existing.replace(/^.{8}/, 'nobodyis')
      for (const flow of Object.keys(flows) as (keyof typeof flows)[]) {
        const { ask } = stepsOf(at, flow)
        const took = { [existing]: [] as number[], [absent]: [] as number[] }
        // In no order: what the one before leaves to do falls on either.
        const order = shuffled(
          [existing, absent].flatMap((each) => Array<string>(samples).fill(each)),
        )
        for (const email of [existing, absent, ...order]) {
          const began = performance.now()
          expect((await ask(email)).status).toBe(200)
          took[email]?.push(performance.now() - began)
        }
        const told = likelihood(took[existing] ?? [], took[absent] ?? [])
        expect(Math.abs(told - 0.5), `${flow}: ${told}`).toBeLessThan(most)
      }
      await at.stop()
    },
    60_000,
  )
})
