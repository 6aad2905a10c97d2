import { eq } from 'drizzle-orm'
import { afterAll, describe, expect, it } from 'vitest'
import { done, refused } from '../test-answers.ts'
import { startTestAuth, type TestAnswer, type TestUser } from '../testing.ts'
import { factorKeptEvent } from './events.ts'
import { factorRemovals } from './schema.ts'
import { operatorsOf, waitingRemoval } from './testing/people.ts'

const auth = await startTestAuth({ env: { SVC_RATE_LIMIT: 'on' } })
afterAll(auth.stop)
const { db } = auth.auth
const { admin, does, trailOf } = await operatorsOf(auth)

const keep = ({ key }: Pick<TestUser, 'key'>, body: object = {}) =>
  auth.call('keepFactor', body, key)

async function statesOf({ userId }: Pick<TestUser, 'userId'>) {
  const rows = await db.select().from(factorRemovals).where(eq(factorRemovals.userId, userId))
  return rows.map(({ state }) => state)
}

const linesOf = async ({ userId }: Pick<TestUser, 'userId'>) =>
  (await trailOf(userId)).filter(({ act }) => act === 'user.factor_removal_stopped')

const comparable = ({ status, body, headers }: TestAnswer) => ({
  status,
  body,
  headers: [...headers].filter(([name]) => name !== 'date' && name !== 'x-request-id'),
})

describe('pendingFactorRemoval', () => {
  const read = async ({ key }: Pick<TestUser, 'key'>) =>
    (await done(auth.call('pendingFactorRemoval', undefined, key))) as object

  it('tells the owner alone, until it is kept', async () => {
    const { user, passkeyId } = await waitingRemoval(auth, admin)
    const [row] = await db
      .select()
      .from(factorRemovals)
      .where(eq(factorRemovals.userId, user.userId))
    expect(await read(user)).toEqual({
      removal: {
        passkeyId,
        askedAt: row?.createdAt.toISOString(),
        removesAt: row?.dueAt.toISOString(),
      },
    })
    expect(await read(await auth.signedInUser())).toEqual({})
    await done(keep(user))
    expect(await read(user)).toEqual({})
  })
})

describe('keepFactor', () => {
  it('keeps the factor of its owner, whom the trail and the event name', async () => {
    const { user, passkeyId, token } = await waitingRemoval(auth, admin)
    const told: object[] = []
    const stop = factorKeptEvent.subscribe((payload) => void told.push(payload))
    expect(await keep(user)).toMatchObject({ status: 204 })
    stop()
    expect(await statesOf(user)).toEqual(['stopped'])
    expect(told).toEqual([{ userId: user.userId }])
    expect(await linesOf(user)).toMatchObject([{ actor: user.userId, keyId: user.key.keyId }])
    expect(await auth.call('stopFactorRemoval', { token })).toMatchObject(
      refused(404, 'FactorRemovalLinkError'),
    )
    await done(does('removeUserFactor')(user.userId, { passkeyId }))
    expect((await statesOf(user)).toSorted()).toEqual(['stopped', 'waiting'])
  })

  it('answers the same where nothing is to be removed, and tells of nothing', async () => {
    const { user } = await waitingRemoval(auth, admin)
    const other = await auth.signedInUser()
    const told: object[] = []
    const stop = factorKeptEvent.subscribe((payload) => void told.push(payload))
    const nothing = await keep(other)
    expect(told).toEqual([])
    stop()
    expect(await linesOf(other)).toEqual([])
    // That of another account goes on.
    expect(await statesOf(user)).toEqual(['waiting'])
    expect(comparable(await keep(user))).toEqual(comparable(nothing))
  })

  it('asks for a fresh proof, such as the password in the same call', async () => {
    const { user } = await waitingRemoval(auth, admin)
    auth.clock.advance('61m')
    expect(await keep(user)).toMatchObject(refused(403, 'RecentAuthenticationRequiredError'))
    expect(await statesOf(user)).toEqual(['waiting'])
    expect(await keep(user, { currentPassword: user.password })).toMatchObject({ status: 204 })
    expect(await statesOf(user)).toEqual(['stopped'])
  })

  it('is counted for the account', async () => {
    const user = await auth.signedInUser()
    for (let count = 0; count < 10; count++) await done(keep(user))
    expect(await keep(user)).toMatchObject(refused(429, 'TooManyRequestsError'))
  })

  it('is told of by the link that its mail has, too', async () => {
    const { user, token } = await waitingRemoval(auth, admin)
    const told: object[] = []
    const stop = factorKeptEvent.subscribe((payload) => void told.push(payload))
    await done(auth.call('stopFactorRemoval', { token }))
    stop()
    expect(told).toEqual([{ userId: user.userId }])
    expect(await linesOf(user)).toMatchObject([{ actor: null }])
  })
})
