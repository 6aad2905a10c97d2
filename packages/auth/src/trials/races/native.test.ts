import { randomUUID } from 'node:crypto'
import { directRequest } from '@svc/core/client'
import type { TestServer } from '@svc/core/testing'
import { eq } from 'drizzle-orm'
import { afterAll, describe, expect, it } from 'vitest'
import { users } from '../../accounts/schema.ts'
import { type OAuthProvider, registerOAuthProvider } from '../../providers/providers.ts'
import { routeMap } from '../../route-map.generated.ts'
import { socialAccounts } from '../../social/accounts/accounts.ts'
import { createTestKey, type TestAnswer, type TestKey } from '../../testing.ts'
import { clients, eachRound, startRace, times, withStatus } from './race.ts'

const auth = await startRace()
afterAll(auth.stop)
const { race } = auth
const { db } = auth.auth

const refuse = () => Promise.reject(new Error('It is for apps only.'))

/** Its id token is the subject and the address. */
const forApps = (id: string): OAuthProvider => ({
  id,
  getAuthUrl: refuse,
  exchangeCode: refuse,
  getIdentity: refuse,
  verifyNativeIdToken(idToken) {
    const [providerUserId = '', email = ''] = idToken.split(' ')
    return Promise.resolve({
      providerUserId,
      ...(email && { email }),
      isEmailVerified: email !== '',
    })
  },
})
registerOAuthProvider(forApps('east'))
registerOAuthProvider(forApps('west'))

const coming =
  (idToken: string, { registration }: TestKey, provider = 'east') =>
  ({ url }: TestServer) => {
    const body = { idToken, nonce: registration.fingerprint, ...registration }
    return directRequest(url, { ...routeMap.oauthNative, input: { params: { provider }, body } })
  }

const createKeys = () => Promise.all(times(clients, () => createTestKey()))
const newcomers = (answers: TestAnswer[]) => answers.filter(({ body }) => body.isNewUser)
const linksOf = (sub: string) =>
  db.select().from(socialAccounts).where(eq(socialAccounts.providerUserId, sub))

describe('sixteen devices of a new user', () => {
  it('open one account, with one link, and sign in to it (A-293)', () =>
    eachRound(async (round) => {
      const sub = randomUUID()
      const idToken = round % 2 === 0 ? sub : `${sub} ${sub}@example.com`
      const keys = await createKeys()
      const before = await db.$count(users)
      const answers = await race(keys.map((key) => coming(idToken, key)))

      expect(withStatus(answers, 200)).toHaveLength(clients)
      expect(newcomers(answers)).toHaveLength(1)
      const links = await linksOf(sub)
      expect([links.length, (await db.$count(users)) - before]).toEqual([1, 1])
      const { userId } = links[0] as { userId: string }
      expect(new Set(answers.map(({ body }) => body.userId))).toEqual(new Set([userId]))
      const ids = keys.map(({ keyId }) => keyId).toSorted()
      expect(await auth.liveKeys(userId, keys)).toEqual({ active: ids, answering: ids })
    }))

  it('from two providers with one address open one account, with a link of each (A-293)', () =>
    eachRound(async () => {
      const sub = randomUUID()
      const email = `${sub}@example.com`
      const keys = await createKeys()
      const provider = (index: number) => (index % 4 < 2 ? 'east' : 'west')
      const idToken = `${sub} ${email}`
      const answers = await race(keys.map((key, index) => coming(idToken, key, provider(index))))

      expect(withStatus(answers, 200)).toHaveLength(clients)
      expect(newcomers(answers)).toHaveLength(1)
      expect((await linksOf(sub)).map((link) => link.provider).toSorted()).toEqual(['east', 'west'])
      expect(await db.$count(users, eq(users.email, email))).toBe(1)
    }))

  it('link an account that has their address, once (A-293)', () =>
    eachRound(async () => {
      const { userId, email } = await auth.createUser()
      const sub = randomUUID()
      const answers = await race((await createKeys()).map((key) => coming(`${sub} ${email}`, key)))
      expect(withStatus(answers, 200)).toHaveLength(clients)
      expect(new Set(answers.map(({ body }) => body.userId))).toEqual(new Set([userId]))
      expect(await linksOf(sub)).toHaveLength(1)
    }))

  it('who come as two with one address leave the account to the first (A-359)', () =>
    eachRound(async () => {
      const email = `${randomUUID()}@example.com`
      const subs = [randomUUID(), randomUUID()]
      const keys = await createKeys()
      const answers = await race(
        keys.map((key, index) => coming(`${subs[index % 4 < 2 ? 0 : 1]} ${email}`, key)),
      )

      expect(newcomers(answers)).toHaveLength(1)
      expect([withStatus(answers, 200).length, withStatus(answers, 409).length]).toEqual([8, 8])
      const links = (await Promise.all(subs.map(linksOf))).flat()
      expect(links).toHaveLength(1)
    }))
})

describe('an id token that is sent sixteen times at once', () => {
  it('registers one key under one key id (A-293)', () =>
    eachRound(async () => {
      const sub = randomUUID()
      const key = await createTestKey()
      const renamed = times(clients, () => {
        const registration = { ...key.registration, keyId: `key-${randomUUID()}` }
        return { ...key, keyId: registration.keyId, registration }
      })
      const answers = await race(renamed.map((each) => coming(sub, each)))

      const [won, ...others] = withStatus(answers, 200)
      expect([others, withStatus(answers, 409).length]).toEqual([[], clients - 1])
      const keyIds = [won?.body.keyId]
      expect(await auth.liveKeys(won?.body.userId, renamed)).toEqual({
        active: keyIds,
        answering: keyIds,
      })
    }))

  it('is one sign-in, repeated, with the same key (A-293)', () =>
    eachRound(async () => {
      const sub = randomUUID()
      const key = await createTestKey()
      const answers = await race(times(clients, () => coming(sub, key)))
      expect(withStatus(answers, 200)).toHaveLength(clients)
      expect(newcomers(answers)).toHaveLength(1)
      expect(await auth.keysOf(answers[0]?.body.userId)).toHaveLength(1)
    }))
})
