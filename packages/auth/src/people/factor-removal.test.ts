import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { heldOn } from '../auth.ts'
import { stepsOf as contactOf } from '../contact/testing/contact.ts'
import { enrolledUser, waitingSignIn, withKeyring } from '../mfa/testing/test-second-factor.ts'
import { passkeysOf } from '../passkeys/testing/test-passkeys.ts'
import { done, refused } from '../test-answers.ts'
import { startTestAuth, type TestUser } from '../testing.ts'
import type { PeopleHeld } from './act.ts'
import { peopleContract } from './contract.ts'
import { carryOut, factorRemoval, removeDue } from './factor-removal.ts'
import * as people from './people.ts'
import { factorRemovals } from './schema.ts'
import { operatorsOf, waitingRemoval } from './testing/people.ts'

const auth = await startTestAuth({ env: { ...withKeyring() } })
afterAll(auth.stop)
const { db } = auth.auth
const { root, admin, read, does, set, trailOf } = await operatorsOf(auth)
const remove = does('removeUserFactor')
const stop = (token: string) => auth.call('stopFactorRemoval', { token })
const dayMillis = 24 * 3_600_000

// The codes of an authenticator app, and the time that a removal waits, move the clock.
beforeEach(() => auth.proveRecent(admin))

const later = (millis: number) => auth.clock.set(new Date(auth.clock.now().getTime() + millis))
const held = heldOn(db, peopleContract) as PeopleHeld
const { signal } = new AbortController()
const runJob = () => auth.server.within(() => removeDue(held, { log: auth.auth.log, signal }))

async function rowOf({ userId }: Pick<TestUser, 'userId'>) {
  const [row] = await db.select().from(factorRemovals).where(eq(factorRemovals.userId, userId))
  return row as typeof factorRemovals.$inferSelect
}

const actsOf = async ({ userId }: Pick<TestUser, 'userId'>) =>
  (await trailOf(userId)).map(({ act }) => act).filter((act) => !/enrolled|codes_made/.test(act))

/** A second factor that waits to be removed, and the token by which its owner keeps it. */
async function asked() {
  const user = await enrolledUser(auth)
  await auth.proveRecent(admin)
  const ask = () => done(remove(user.userId, { reason: 'A lost phone' }))
  return { user, token: await auth.linkSentBy(ask, user.email, 'factor-removal-asked') }
}

describe('removeUserFactor', () => {
  it('waits a day, in which the factor is asked for, and removes it then', async () => {
    const { user } = await asked()
    const removesAt = new Date(auth.clock.now().getTime() + dayMillis).toISOString()
    expect(await read(user.userId)).toMatchObject({
      body: { factors: ['totp'], waiting: [{ kind: 'factor_removal', expiresAt: removesAt }] },
    })
    const waiting = await waitingSignIn(auth, user)
    later(dayMillis - 1000)
    await runJob()
    expect(await read(user.userId)).toMatchObject({ body: { factors: ['totp'] } })
    later(1000)
    await auth.sentBy(runJob, user.email, 'second-factor-removed')
    expect(await read(user.userId)).toMatchObject({
      body: { factors: [], hasSecondFactor: false, waiting: [] },
    })
    // As after its owner has turned it off: what waited for it is over, and the password is enough.
    const verify = { challenge: waiting.challenge, code: user.code() }
    expect(await auth.call('mfaVerify', verify)).toMatchObject({ status: 401 })
    await auth.signIn(user)
    expect(await actsOf(user)).toEqual([
      'user.factor_removal_asked',
      'mfa.removed',
      'user.factor_removed',
    ])
    const [first, ...others] = await trailOf(user.userId).then((lines) =>
      lines.filter(({ act }) => act.includes('removed') || act.includes('removal')),
    )
    expect(first?.details).toEqual({ removesAt, reason: 'A lost phone' })
    for (const { actor } of others) expect(actor).toBe(admin.userId)
  })

  it('is done by a job that every server runs', async () => {
    const { rows } = await db.execute(
      sql`select cron from svc_jobs.schedule where name = ${factorRemoval.name}`,
    )
    expect(rows).toEqual([{ cron: '*/5 * * * *' }])
  })

  it('removes one passkey, and leaves the others', async () => {
    const { user, passkeyId } = await waitingRemoval(auth, admin)
    const { passkeyId: other } = await passkeysOf(auth).enrol({ key: await auth.signIn(user) })
    later(dayMillis)
    await auth.sentBy(runJob, user.email, 'passkey-removed')
    const { body } = await read(user.userId)
    expect(body.passkeys.map((each: { passkeyId: string }) => each.passkeyId)).toEqual([other])
    const [line] = (await trailOf(user.userId)).filter(({ act }) => act === 'user.factor_removed')
    expect(line?.details).toEqual({ passkeyId })
  })

  it('is not done to a factor that was set up since', async () => {
    const { user } = await asked()
    await done(auth.call('mfaStepUp', { code: user.code() }, user.key))
    await done(auth.call('mfaDisable', undefined, user.key))
    later(dayMillis)
    await done(auth.call('proveRecent', { password: user.password }, user.key))
    const { secret } = await done(auth.call('mfaTotpEnroll', {}, user.key))
    expect(secret).toBeTypeOf('string')
    await set(user.userId, { secondFactorSince: auth.clock.now() })
    await runJob()
    expect((await rowOf(user)).state).toBe('void')
    expect(await actsOf(user)).not.toContain('user.factor_removed')
  })

  it('refuses what is not there, a second one, and an owner who could not be told', async () => {
    const { userId, key } = await auth.signedInUser()
    expect(await remove(userId)).toMatchObject(refused(409, 'ConflictError'))
    const { user: other, passkeyId: foreign } = await waitingRemoval(auth, admin)
    const { passkeyId } = await passkeysOf(auth).enrol({ key })
    for (const unknown of [foreign, 'none']) {
      expect(await remove(userId, { passkeyId: unknown })).toMatchObject(
        refused(404, 'PasskeyNotFoundError'),
      )
    }
    expect(await remove(other.userId, { passkeyId: foreign })).toMatchObject(
      refused(409, 'ConflictError'),
    )
    await set(userId, { emailVerifiedAt: null })
    expect(await remove(userId, { passkeyId })).toMatchObject(refused(409, 'ConflictError'))
    expect(await rowOf({ userId })).toBe(undefined)
  })

  it('waits for nothing while a thief may have changed the address that is told', async () => {
    const user = await auth.signedInUser()
    const { passkeyId } = await passkeysOf(auth).enrol(user)
    const { changed, newEmail } = contactOf(auth)
    await changed(user, newEmail())
    expect(await remove(user.userId, { passkeyId })).toMatchObject(refused(409, 'ConflictError'))
    later(3 * dayMillis)
    await auth.proveRecent(admin)
    expect(await remove(user.userId, { passkeyId })).toMatchObject({ status: 200 })
  })

  it('can be done neither to an account above nor to the own one', async () => {
    for (const { userId } of [root, admin]) {
      expect(await remove(userId)).toMatchObject(refused(403, 'ForbiddenError'))
    }
  })
})

describe('stopFactorRemoval', () => {
  it('keeps the factor, once, and another removal can be asked for', async () => {
    const { user, token } = await asked()
    expect(await stop(token)).toMatchObject({ status: 204 })
    expect(await stop(token)).toMatchObject(refused(404, 'FactorRemovalLinkError'))
    expect(await stop('a'.repeat(43))).toMatchObject(refused(404, 'FactorRemovalLinkError'))
    later(dayMillis)
    await runJob()
    expect(await read(user.userId)).toMatchObject({ body: { factors: ['totp'], waiting: [] } })
    expect(await actsOf(user)).toEqual(['user.factor_removal_asked', 'user.factor_removal_stopped'])
    await people.removeUserFactor(user.userId)
    expect(await read(user.userId)).toMatchObject({
      body: { waiting: [{ kind: 'factor_removal' }] },
    })
  })

  it('and the job that is due: one of them has the removal, and the factor is as it says', async () => {
    const outcomes = new Set<string>()
    for (let round = 0; round < 6; round++) {
      const { user, passkeyId, token } = await waitingRemoval(auth, admin)
      const { removalId, userId, dueAt } = await rowOf(user)
      auth.clock.set(dueAt)
      const both = [
        () => stop(token).then(({ status }) => status),
        () => auth.server.within(() => carryOut(held, { removalId, userId })),
      ]
      const [stopped] = await Promise.all(
        (round % 2 === 0 ? both : both.toReversed()).map((run) => run()),
      ).then((all) => all.filter((each) => typeof each === 'number'))
      const { state } = await rowOf(user)
      outcomes.add(state)
      expect([stopped, state]).toBeOneOf([
        [204, 'stopped'],
        [404, 'done'],
      ])
      const left = (await read(userId, root)).body.passkeys
      expect(left.some((each: { passkeyId: string }) => each.passkeyId === passkeyId)).toBe(
        state === 'stopped',
      )
      expect(
        (await actsOf(user)).filter((act) => act !== 'user.factor_removal_asked'),
      ).toHaveLength(1)
    }
    expect(outcomes.size).toBeGreaterThan(0)
  })
})

it('forgets a removal a month after it was due, and all of them with their account', async () => {
  const { user, token } = await waitingRemoval(auth, admin)
  await stop(token)
  later(30 * dayMillis)
  await auth.sweep()
  expect(await rowOf(user)).toMatchObject({ state: 'stopped' })
  later(dayMillis)
  await auth.sweep()
  expect(await rowOf(user)).toBe(undefined)
})
