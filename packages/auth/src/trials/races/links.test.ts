import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { afterAll, describe, expect, it } from 'vitest'
import { users } from '../../accounts/schema.ts'
import { mailedLinks } from '../../links/schema.ts'
import { chosenPassword, flows, stepsOf } from '../../links/testing/links.ts'
import { createRevokeAllLink } from '../../revoke-all/revoke-all.ts'
import { createTestKey, type TestAnswer, type TestKey } from '../../testing.ts'
import { clients, eachRound, startRace, times, withStatus } from './race.ts'
import { readyLinks } from './test-ready-links.ts'

const started = await startRace()
const { operation, race, raceBehind, ...auth } = started
afterAll(() => auth.stop())
const { db } = auth.auth

const newKeys = (number: number) => Promise.all(times(number, () => createTestKey()))
const newAddress = () => `${randomUUID()}@example.com`
const accountsAt = (email: string) => db.select().from(users).where(eq(users.email, email))
const linksOf = (subject: string) =>
  db.select().from(mailedLinks).where(eq(mailedLinks.subject, subject))
/** A refusal without what no two answers have in common. */
const bytes = ({ status, body }: TestAnswer) =>
  JSON.stringify([status, body]).replaceAll(body.error.requestId, '')

const complete = (flow: keyof typeof flows, setupSecret: string, key: TestKey) =>
  operation(flows[flow].complete, { setupSecret, password: chosenPassword, ...key.registration })

describe.each([
  ['signup', 400, 401],
  ['reset', 401, 401],
] as const)('a link of a %s', (flow, linkRefused, sessionRefused) => {
  const row = (name: string) => (flow === 'reset' ? name : '')
  const { request, confirm } = flows[flow]
  const { open, finish } = stepsOf(started, flow)
  const { token, secret } = readyLinks(started, flow)
  const newReader = async () => (flow === 'reset' ? (await auth.createUser()).email : newAddress())

  it(`${row('R13: ')}opens one setup session when sixteen confirm it`, () =>
    eachRound(async () => {
      const email = await newReader()
      const link = await token(email)
      const answers = await race(times(clients, () => operation(confirm, { token: link })))

      const [opened, ...others] = withStatus(answers, 200)
      expect(others).toEqual([])
      expect(new Set(withStatus(answers, linkRefused).map(bytes)).size).toBe(1)
      expect(withStatus(answers, linkRefused)).toHaveLength(clients - 1)
      expect((await finish(opened?.body.setupSecret)).status).toBe(200)
    }))

  it('sets one password, with one key, when sixteen complete its session', () =>
    eachRound(async () => {
      const email = await newReader()
      const setupSecret = await secret(email)
      const keys = await newKeys(clients)
      const answers = await race(keys.map((key) => complete(flow, setupSecret, key)))

      const winner = answers.findIndex(({ status }) => status === 200)
      expect(withStatus(answers, 200)).toHaveLength(1)
      const refused = withStatus(answers, sessionRefused)
      expect(refused).toHaveLength(clients - 1)
      expect(new Set(refused.map(bytes)).size).toBe(1)
      const [account, ...others] = await accountsAt(email)
      expect(others).toEqual([])
      const survivor = [keys[winner]?.keyId]
      expect(await auth.liveKeys(account?.userId ?? '', keys)).toEqual({
        active: survivor,
        answering: survivor,
      })
    }))

  it(`${row('R14: ')}is dead, and its session, once another was asked for, in each order`, () =>
    eachRound(async () => {
      const email = await newReader()
      const link = await token(email)
      const answers = await race([
        operation(request, { email }),
        ...times(clients - 1, () => operation(confirm, { token: link })),
      ])

      expect(answers[0]?.status).toBe(200)
      const opened = withStatus(answers.slice(1), 200)
      expect(opened.length).toBeLessThanOrEqual(1)
      for (const { body } of opened)
        expect((await finish(body.setupSecret)).status).toBe(sessionRefused)
      expect((await open(link)).status).toBe(linkRefused)
      expect(alive(await linksOf(email)).length).toBeLessThanOrEqual(1)
    }))

  it('asked for by sixteen at once leaves one that is alive', () =>
    eachRound(async () => {
      const email = await newReader()
      const answers = await race(times(clients, () => operation(request, { email })))
      expect(withStatus(answers, 200)).toHaveLength(clients)
      expect(alive(await linksOf(email))).toHaveLength(1)
    }))

  it('completed as another is asked for does all of it, or nothing', () =>
    eachRound(async () => {
      const email = await newReader()
      const [before] = await accountsAt(email)
      const setupSecret = await secret(email)
      const [key] = (await newKeys(1)) as [TestKey]
      const [completed, ...requested] = await race([
        complete(flow, setupSecret, key),
        ...times(clients - 1, () => operation(request, { email })),
      ])

      expect(withStatus(requested, 200)).toHaveLength(clients - 1)
      const isDone = completed?.status === 200
      if (!isDone) expect(completed?.status).toBe(sessionRefused)
      const session = await auth.call('getAuthSession', undefined, key)
      expect(session.status).toBe(isDone ? 200 : 401)
      const [after] = await accountsAt(email)
      expect(after?.passwordHash === before?.passwordHash).toBe(!isDone)
      expect((await finish(setupSecret)).status).toBe(sessionRefused)
    }))
})

const alive = (links: { state: string }[]) =>
  links.filter(({ state }) => ['requested', 'issued', 'opened'].includes(state))

describe('a sign-up by a link and one by a code', () => {
  it('R15: of the same address in another spelling open one account', () =>
    eachRound(async () => {
      const email = newAddress()
      const setupSecret = await readyLinks(started, 'signup').secret(email)
      const verificationToken = await auth.verificationToken(email, 'registration')
      const keys = await newKeys(clients)
      const register = (key: TestKey) =>
        operation('register', {
          email: ` ${email.toUpperCase().replace('@', '＠')}`,
          verificationToken,
          password: 'a password chosen by code',
          ...key.registration,
        })
      const answers = await race(
        keys.map((key, index) =>
          index % 2 ? register(key) : complete('signup', setupSecret, key),
        ),
      )

      const winner = answers.findIndex(({ status }) => status === 200)
      expect(withStatus(answers, 200)).toHaveLength(1)
      const [account, ...others] = await accountsAt(email)
      expect(others).toEqual([])
      const survivor = [keys[winner]?.keyId]
      expect(await auth.liveKeys(account?.userId ?? '', keys)).toEqual({
        active: survivor,
        answering: survivor,
      })
      expect(withStatus(answers, 500)).toEqual([])
    }))
})

describe('a completed reset', () => {
  it('R8: leaves no key of a login with the old password that races it', () =>
    eachRound(async (round) => {
      const user = await auth.signedInUser()
      const setupSecret = await readyLinks(started, 'reset').secret(user.email)
      const [key, ...keys] = (await newKeys(clients)) as [TestKey, ...TestKey[]]
      const { email, password } = user
      const contestants = [
        complete('reset', setupSecret, key),
        ...keys.map((each) => operation('login', { email, password, ...each.registration })),
      ]
      // In every other round, the passwords are found right before the reset, and the keys wanted after it.
      const behind = () => raceBehind([user.userId], contestants)
      const [completed, ...logins] = await (round % 2 ? behind() : race(contestants))

      expect(completed?.status).toBe(200)
      for (const { status } of logins) expect([200, 401]).toContain(status)
      const survivor = [key.keyId]
      expect(await auth.liveKeys(user.userId, [user.key, key, ...keys])).toEqual({
        active: survivor,
        answering: survivor,
      })
    }))

  it('and a password change at the same moment: one of them counts', () =>
    eachRound(async () => {
      const user = await auth.signedInUser()
      const setupSecret = await readyLinks(started, 'reset').secret(user.email)
      const [key] = (await newKeys(1)) as [TestKey]
      const change = { currentPassword: user.password, newPassword: 'changed by the device' }
      const [completed, changed] = await race([
        complete('reset', setupSecret, key),
        operation('changePassword', change, user.key),
      ])

      const outcomes = [completed?.status, changed?.status]
      expect([
        [200, 401],
        [401, 204],
      ]).toContainEqual(outcomes)
      const survivor = [completed?.status === 200 ? key.keyId : user.key.keyId]
      expect(await auth.liveKeys(user.userId, [user.key, key])).toEqual({
        active: survivor,
        answering: survivor,
      })
    }))
})

describe('a sign-out-everywhere link', () => {
  const linkFor = async (userId: string) =>
    new URL((await createRevokeAllLink(userId)).url).searchParams.get('token') as string
  const consume = (token: string) => operation('consumeRevokeAllLink', { token })

  it('R24: signs out once when sixteen consume it: the others are told nothing but 404 (A-218)', () =>
    eachRound(async () => {
      const user = await auth.signedInUser()
      const link = await linkFor(user.userId)
      const answers = await race(times(clients, () => consume(link)))

      expect(withStatus(answers, 200).map(({ body }) => body)).toEqual([{ revokedCount: 1 }])
      const refused = withStatus(answers, 404)
      expect(refused).toHaveLength(clients - 1)
      expect(new Set(refused.map(bytes)).size).toBe(1)
      const [account] = await accountsAt(user.email)
      expect(account?.generation).toBe(1)
      expect(await auth.liveKeys(user.userId, [user.key])).toEqual({ active: [], answering: [] })
    }))

  it('that gives way to another as it is consumed works, or never (A-221)', () =>
    eachRound(async () => {
      const user = await auth.signedInUser()
      const link = await linkFor(user.userId)
      const consuming = race(times(clients, () => consume(link)))
      const later = await linkFor(user.userId)
      const answers = await consuming

      expect(withStatus(answers, 200).length).toBeLessThanOrEqual(1)
      expect(withStatus(answers, 200).length + withStatus(answers, 404).length).toBe(clients)
      const isConsumed = withStatus(answers, 200).length === 1
      const { active } = await auth.liveKeys(user.userId, [user.key])
      expect(active).toEqual(isConsumed ? [] : [user.key.keyId])
      expect(await auth.call('consumeRevokeAllLink', { token: link })).toMatchObject({
        status: 404,
      })
      // A later one dies only of a sign-out that came after it.
      const statuses = isConsumed ? [200, 404] : [200]
      expect(statuses).toContain((await auth.call('consumeRevokeAllLink', { token: later })).status)
    }))

  const killers = {
    'a password change': (user: User) =>
      operation(
        'changePassword',
        { currentPassword: user.password, newPassword: 'another horse battery' },
        user.key,
      ),
    'revokeAllKeys that spares the caller': ({ key }: User) => operation('revokeAllKeys', {}, key),
    'revokeAllKeys that spares none': ({ key }: User) =>
      operation('revokeAllKeys', { includeCurrent: true }, key),
    'a completed reset': async ({ email }: User) =>
      complete('reset', await readyLinks(started, 'reset').secret(email), await createTestKey()),
    'a requested deletion': ({ password, key }: User) =>
      operation('requestAccountDeletion', { password }, key),
  }
  type User = Awaited<ReturnType<typeof auth.signedInUser>>

  it.each(Object.entries(killers))(
    'signs out before %s, or not at all (A-220)',
    async (_which, kill) => {
      await eachRound(async (round) => {
        const user = await auth.signedInUser()
        const link = await linkFor(user.userId)
        const contestants = [await kill(user), ...times(clients - 1, () => consume(link))]
        // In every other round, the link is found right before the other takes the account.
        const behind = () => raceBehind([user.userId], contestants)
        const [killed, ...answers] = await (round % 2 ? behind() : race(contestants))

        const consumed = withStatus(answers, 200).length
        expect(consumed).toBeLessThanOrEqual(round % 2 ? 0 : 1)
        const refused = withStatus(answers, 404)
        expect(refused).toHaveLength(clients - 1 - consumed)
        expect(new Set(refused.map(bytes)).size).toBe(1)
        expect([200, 204, 401]).toContain(killed?.status)
        const signedOut = consumed + Number(killed?.status !== 401)
        expect(signedOut).toBeGreaterThanOrEqual(1)
        const [account] = await accountsAt(user.email)
        expect(account?.generation).toBe(signedOut)
      })
    },
  )
})
