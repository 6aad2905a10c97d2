import { randomUUID } from 'node:crypto'
import { and, eq } from 'drizzle-orm'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { users } from '../../accounts/schema.ts'
import { configureAuth } from '../../configure-auth.ts'
import { oauthLinkedEvent, registerEvent } from '../../events.ts'
import { withKeyring } from '../../mfa/testing/test-second-factor.ts'
import { socialAccounts } from '../../social/accounts/accounts.ts'
import { linksOf } from '../../social/accounts/testing/test-links.ts'
import { oauthPending } from '../../social/browser/browser.ts'
import { testBrowser } from '../../social/browser/testing/test-browser.ts'
import { somebody, testProvider } from '../../social/browser/testing/test-provider.ts'
import { done } from '../../test-answers.ts'
import { createTestKey, type TestAnswer, testPassword } from '../../testing.ts'
import { clients, eachRound, startRace, times, withStatus } from './race.ts'

const started = await startRace({ env: withKeyring() })
const { operation, race, ...auth } = started
afterAll(() => auth.stop())
const { db } = auth.auth
const east = testProvider('races-east')
const west = testProvider('races-west')
const links = linksOf(started)

const newAddress = () => `${randomUUID()}@example.com`
const pageOf = ({ headers }: TestAnswer) => {
  const to = new URL(headers.get('location') ?? 'none:')
  return to.searchParams.get('error') ?? to.pathname
}
const success = '/auth/callback'
const landedOn = (answers: readonly TestAnswer[], page: string) =>
  answers.filter((answer) => pageOf(answer) === page)

const accountsAt = (email: string) => db.select().from(users).where(eq(users.email, email))
const linkedTo = ({ providerUserId }: { providerUserId: string }) =>
  db.select().from(socialAccounts).where(eq(socialAccounts.providerUserId, providerUserId))

/** Browsers that stand before the callback, each with a state and a code of its own. */
function before(identities: ReturnType<typeof somebody>[], at = east) {
  return Promise.all(identities.map((identity) => oneBefore(identity, at)))
}

async function oneBefore(identity = somebody(), at = east) {
  const browser = testBrowser(auth, at)
  await browser.leave()
  return { browser, returning: browser.returning({ ...browser.consent(identity) }) }
}

/** What was emitted while something ran. */
async function emitted(
  event: typeof registerEvent | typeof oauthLinkedEvent,
  run: () => Promise<void>,
) {
  const told: { userId: string }[] = []
  const leave = event.subscribe((payload) => void told.push(payload))
  await run()
  leave()
  return told
}

describe('sixteen browsers that come back as one new user', () => {
  it.each([
    ['R31: with an address', () => ({ email: newAddress() })],
    ['without one', () => ({})],
  ])('%s: one account, one link, one registration, and all are in', (_, known) =>
    eachRound(async () => {
      const identity = somebody(known())
      const coming = await before(times(clients, () => identity))
      const all = await db.$count(users)
      const registered = await emitted(registerEvent, async () => {
        const answers = await race(coming.map(({ returning }) => returning))
        expect(answers.map(pageOf)).toEqual(times(clients, () => success))
      })
      expect(registered).toHaveLength(1)
      expect(await db.$count(users)).toBe(all + 1)
      expect(await linkedTo(identity)).toMatchObject([{ userId: registered[0]?.userId }])
      for (const { browser } of coming.slice(-2)) {
        expect((await browser.finalize()).body.userId).toBe(registered[0]?.userId)
      }
    }),
  )

  afterEach(() => configureAuth({ beforeRegister: () => {} }))

  it('whose account the application has refused: none of it is there (R31)', async () => {
    const identity = somebody()
    let asked = 0
    configureAuth({
      beforeRegister: () => {
        asked += 1
        if (asked === 1) throw new Error('The first one fails.')
      },
    })
    const coming = await before(times(clients, () => identity))
    const answers = await race(coming.map(({ returning }) => returning))
    expect(landedOn(answers, 'unreachable')).toHaveLength(1)
    expect(landedOn(answers, success)).toHaveLength(clients - 1)
    expect(await linkedTo(identity)).toHaveLength(1)
  })
})

describe('one address', () => {
  it('is one account in each order: providers in each spelling, or a registration by code (R15)', () =>
    eachRound(async () => {
      const email = newAddress()
      const spelt = [email, email.toUpperCase(), ` ${email} `]
      const east5 = times(5, (index) => somebody({ email: spelt[index % 3] as string }))
      // Of one provider, one may have the address; so each comes with the same id.
      const [first] = east5
      const easterners = east5.map((each) => ({
        ...each,
        providerUserId: first?.providerUserId ?? '',
      }))
      const western = somebody({ email: email.toUpperCase() })
      const coming = [
        ...(await before(easterners)),
        ...(await before(
          times(5, () => western),
          west,
        )),
      ]
      const verificationToken = await auth.verificationToken(email, 'registration')
      const { registration } = await createTestKey()
      const register = operation('register', {
        email,
        verificationToken,
        password: testPassword,
        ...registration,
      })
      const registered = await emitted(registerEvent, async () => {
        const answers = await race([...coming.map(({ returning }) => returning), register])
        expect(landedOn(answers.slice(0, 10), success)).toHaveLength(10)
        expect([200, 409]).toContain(answers[10]?.status)
      })
      const [account, ...more] = await accountsAt(email)
      expect([more, registered.map(({ userId }) => userId)]).toEqual([[], [account?.userId]])
      const own = eq(socialAccounts.userId, account?.userId ?? '')
      expect(await db.$count(socialAccounts, own)).toBe(2)
    }))

  it('is the first one’s of sixteen that a provider has given it to', () =>
    eachRound(async () => {
      const email = newAddress()
      const coming = await before(times(clients, () => somebody({ email })))
      const answers = await race(coming.map(({ returning }) => returning))
      expect(landedOn(answers, success)).toHaveLength(1)
      expect(landedOn(answers, 'another_linked')).toHaveLength(clients - 1)
      const [account] = await accountsAt(email)
      expect(
        await db.$count(socialAccounts, eq(socialAccounts.userId, account?.userId ?? '')),
      ).toBe(1)
    }))

  it('is filled in for one account, or taken by a new one, while all sign in (R31)', () =>
    eachRound(async () => {
      const email = newAddress()
      const without = times(6, () => somebody())
      const owners = await Promise.all(without.map((each) => links.enter(east, each)))
      const backfilling = await before(
        without.map((each) => ({ ...each, email, isEmailVerified: true })),
      )
      const newcomer = await before([somebody({ email })], west)
      const answers = await race([...backfilling, ...newcomer].map(({ returning }) => returning))

      // Whoever is new there has the address proved by both: it signs in to whichever account has it.
      expect(landedOn(answers, success)).toHaveLength(7)
      expect(await accountsAt(email)).toHaveLength(1)
      const finished = await Promise.all(backfilling.map(({ browser }) => browser.finalize()))
      expect(finished.map(({ body }) => body.userId)).toEqual(owners.map(({ userId }) => userId))
    }))
})

describe('a state', () => {
  it('lets one of sixteen in, over two instances (attack 15)', () =>
    eachRound(async () => {
      const identity = somebody()
      const { browser, returning } = await oneBefore(identity)
      const answers = await race(times(clients, () => returning))
      expect(landedOn(answers, success)).toHaveLength(1)
      expect(landedOn(answers, 'state_invalid')).toHaveLength(clients - 1)
      expect(await linkedTo(identity)).toHaveLength(1)
      expect(await browser.finalize()).toMatchObject({ status: 200 })
    }))
})

describe('who waits to be finalized', () => {
  it('is signed in once, with the key that was sent ahead', () =>
    eachRound(async () => {
      const { browser, returning } = await oneBefore()
      await race([returning])
      const { key } = browser
      const answers = await race(times(clients, () => operation('finalize', {}, key)))
      expect(withStatus(answers, 200)).toHaveLength(1)
      expect(withStatus(answers, 401)).toHaveLength(clients - 1)
      const { userId } = await done(auth.call('getAuthSession', undefined, key))
      expect(await auth.keysOf(userId)).toHaveLength(1)
    }))

  it('is signed in once, with one key, where each brings one', () =>
    eachRound(async () => {
      const browser = testBrowser(auth, east)
      await browser.follow()
      await browser.arrive(somebody())
      const pendingToken = browser.cookies.get('svc_oauth_pending')
      const keys = await Promise.all(times(clients, () => createTestKey()))
      const answers = await race(
        keys.map(({ registration }) => operation('finalize', { ...registration, pendingToken })),
      )
      expect(withStatus(answers, 401)).toHaveLength(clients - 1)
      const [winner] = withStatus(answers, 200)
      expect(await auth.keysOf(winner?.body.userId)).toHaveLength(1)
    }))

  it('is not signed in behind signing out everywhere', () =>
    eachRound(async () => {
      const identity = somebody()
      const owner = await links.enter(east, identity)
      const waiting = await before(times(6, () => identity))
      await race(waiting.map(({ returning }) => returning))
      const answers = await started.raceBehind(
        [owner.userId],
        [
          operation('revokeAllKeys', {}, owner.key),
          ...waiting.map(({ browser }) => operation('finalize', {}, browser.key)),
        ],
      )
      expect(answers[0]?.status).toBe(200)
      const { active } = await auth.liveKeys(
        owner.userId,
        waiting.map(({ browser }) => browser.key),
      )
      expect(withStatus(answers.slice(1), 200)).toEqual([])
      expect(active).toEqual([owner.key.keyId])
    }))

  it('is one account’s, where two come back with one key’s id', () =>
    eachRound(async () => {
      const key = await createTestKey()
      const coming = await Promise.all(
        times(clients, async () => {
          const browser = testBrowser(auth, east)
          await browser.leave({ key })
          return browser.returning({ ...browser.consent(somebody()) })
        }),
      )
      const answers = await race(coming)
      expect(landedOn(answers, success)).toHaveLength(1)
      expect(landedOn(answers, 'state_invalid')).toHaveLength(clients - 1)
      const waiting = eq(oauthPending.keyId, key.keyId)
      expect(await db.$count(oauthPending, waiting)).toBe(1)
    }))
})

describe('an account at a provider', () => {
  it('is linked to one of the accounts that add it at once', () =>
    eachRound(async () => {
      const identity = somebody()
      const owners = await Promise.all(times(8, () => auth.signedInUser()))
      const coming = await Promise.all(
        owners.map(async ({ key }) => {
          const browser = await links.sentToLink(east, key)
          return browser.returning({ ...browser.consent(identity) })
        }),
      )
      const linked = await emitted(oauthLinkedEvent, async () => {
        const answers = await race(coming)
        expect(landedOn(answers, '/account')).toHaveLength(1)
        expect(landedOn(answers, 'already_linked')).toHaveLength(7)
      })
      expect(linked).toHaveLength(1)
      expect(await linkedTo(identity)).toMatchObject([{ userId: linked[0]?.userId }])
    }))

  it('is one of its kind, where an account adds several at once', () =>
    eachRound(async () => {
      const { key, userId } = await auth.signedInUser()
      const coming = await Promise.all(
        times(8, async () => {
          const browser = await links.sentToLink(east, key)
          return browser.returning({ ...browser.consent(somebody()) })
        }),
      )
      const answers = await race(coming)
      expect(landedOn(answers, '/account')).toHaveLength(1)
      expect(landedOn(answers, 'already_linked')).toHaveLength(7)
      const own = and(eq(socialAccounts.userId, userId), eq(socialAccounts.provider, east.id))
      expect(await db.$count(socialAccounts, own)).toBe(1)
    }))
})
