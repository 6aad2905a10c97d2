import { randomUUID } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { heldOn } from '../auth.ts'
import { stepsOf as contactOf } from '../contact/testing/contact.ts'
import { enrolledUser, waitingSignIn, withKeyring } from '../mfa/testing/test-second-factor.ts'
import { passkeysOf } from '../passkeys/testing/test-passkeys.ts'
import { createRole, setRolePermissions } from '../roles/roles.ts'
import { done, refused } from '../test-answers.ts'
import { startTestAuth, type TestUser } from '../testing.ts'
import type { PeopleHeld } from './act.ts'
import { peopleContract } from './contract.ts'
import { carryOut, factorRemoval, mailFactorRemoval, removeDue } from './factor-removal.ts'
import * as people from './people.ts'
import { factorRemovals } from './schema.ts'
import { operatorsOf, provedLongAgo, waitingRemoval } from './testing/people.ts'

const auth = await startTestAuth({ env: { ...withKeyring() } })
afterAll(auth.stop)
const { db } = auth.auth
const { root, admin, read, does, set, trailOf } = await operatorsOf(auth)
const remove = does('removeUserFactor')
const update = does('updateUser')
const { changed, undo, newEmail, newPhone } = contactOf(auth)
const stop = (token: string) => auth.call('stopFactorRemoval', { token })
const dayMillis = 24 * 3_600_000

// The codes of an authenticator app, and the time that a removal waits, move the clock.
beforeEach(() => auth.proveRecent(admin))

const later = (millis: number) => auth.clock.set(new Date(auth.clock.now().getTime() + millis))
const held = heldOn(db, peopleContract) as PeopleHeld
const { signal } = new AbortController()
const runJob = () => auth.server.within(() => removeDue(held, { log: auth.auth.log, signal }))

const isOf = ({ userId }: Pick<TestUser, 'userId'>) => eq(factorRemovals.userId, userId)

async function rowOf(user: Pick<TestUser, 'userId'>) {
  const [row] = await db.select().from(factorRemovals).where(isOf(user))
  return row as typeof factorRemovals.$inferSelect
}

const actsOf = async ({ userId }: Pick<TestUser, 'userId'>) =>
  (await trailOf(userId)).map(({ act }) => act).filter((act) => !/enrolled|codes_made/.test(act))

/** The row tells that the mail has left, a little after its reader may have it. */
const untilMailed = (user: Pick<TestUser, 'userId'>) =>
  vi.waitFor(async () => expect((await rowOf(user)).mailedAt).not.toBe(null))

/** A second factor that waits to be removed, and the token by which its owner keeps it. */
async function asked() {
  const user = await provedLongAgo(auth, await enrolledUser(auth))
  await auth.proveRecent(admin)
  const ask = () => done(remove(user.userId, { reason: 'A lost phone' }))
  const token = await auth.linkSentBy(ask, user.email, 'factor-removal-asked')
  await untilMailed(user)
  return { user, token }
}

/** The same for a passkey, of which a test needs no code. */
async function askedForPasskey(by: Pick<TestUser, 'key' | 'password'> = admin) {
  const waiting = await waitingRemoval(auth, by)
  await untilMailed(waiting.user)
  return waiting
}

const carriedOut = async (user: Pick<TestUser, 'userId'>) => {
  const row = await rowOf(user)
  await auth.server.within(() => carryOut(held, row))
  return (await rowOf(user)).state
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
    const { user, passkeyId } = await askedForPasskey()
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
    const { userId, key } = await provedLongAgo(auth, await auth.signedInUser())
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

  it('is refused for 72 hours after an address was proved or changed, or a number', async () => {
    const withPasskey = async () => {
      const user = await provedLongAgo(auth, await auth.signedInUser())
      return { user, ...(await passkeysOf(auth).enrol(user)) }
    }
    const because = { reason: 'a letter' }
    const [owners, numbers, firsts] = [
      await withPasskey(),
      await withPasskey(),
      await withPasskey(),
    ] as const
    await changed(owners.user, newEmail())
    await done(update(numbers.user.userId, { phone: newPhone(), ...because }))
    await done(update(numbers.user.userId, { phone: newPhone(), ...because }))
    // One that nobody has proved has no link that takes the change back.
    await set(firsts.user.userId, { emailVerifiedAt: null })
    await done(update(firsts.user.userId, { email: newEmail(), ...because }))
    const all = [owners, numbers, firsts].map(
      ({ user: { userId }, passkeyId }) =>
        () =>
          remove(userId, { passkeyId }),
    )
    for (const ask of all) expect(await ask()).toMatchObject(refused(409, 'ConflictError'))
    later(3 * dayMillis - 1000)
    await auth.proveRecent(admin)
    for (const ask of all) expect(await ask()).toMatchObject(refused(409, 'ConflictError'))
    later(1000)
    for (const ask of all) expect(await ask()).toMatchObject({ status: 200 })
  })

  it('can be done neither to an account above nor to the own one', async () => {
    for (const { userId } of [root, admin]) {
      expect(await remove(userId)).toMatchObject(refused(403, 'ForbiddenError'))
    }
  })
})

describe('a removal that waits', () => {
  const toThief = (userId: string) => update(userId, { email: newEmail(), reason: 'a letter' })

  it('tells no thief who has put their address in place since, and is void', async () => {
    const { user, token } = await askedForPasskey()
    const { removalId, stopHash, userId } = await rowOf(user)
    const thief = newEmail()
    await done(update(userId, { email: thief, reason: 'a letter' }))
    const again = await does('resendUserMail')(userId, { mail: 'factor_removal' })
    expect(again).toMatchObject(refused(409, 'ConflictError'))
    // As the job of a mail that was ordered before.
    await mailFactorRemoval(held, removalId)
    expect(await rowOf(user)).toMatchObject({ stopHash })
    const templates = (await auth.messagesTo(thief)).map(({ template }) => template)
    expect(templates).not.toContain('factor-removal-asked')
    later(dayMillis)
    expect(await carriedOut(user)).toBe('void')
    expect((await read(userId)).body.passkeys).toHaveLength(1)
    expect(await stop(token)).toMatchObject(refused(404, 'FactorRemovalLinkError'))
  })

  it('is void where the first address of which its owner hears came since', async () => {
    const { user } = await askedForPasskey()
    await set(user.userId, { emailVerifiedAt: auth.clock.now() })
    later(dayMillis)
    expect(await carriedOut(user)).toBe('void')
  })

  it('is void from a change or a proof on, also where that is forgotten', async () => {
    const { user } = await askedForPasskey()
    const undoing = await auth.linkSentBy(
      () => done(toThief(user.userId)),
      user.email,
      'contact-changed',
    )
    await done(undo(undoing))
    const { user: proving } = await asked()
    await done(auth.call('mfaStepUp', { code: proving.code() }, proving.key))
    await auth.proveRecent(admin)
    const { user: other } = await askedForPasskey()
    await runJob()
    for (const each of [user, proving]) expect((await rowOf(each)).state).toBe('void')
    expect((await rowOf(other)).state).toBe('waiting')
  })

  it('is void where a second factor was proved since: another one may be there beside it', async () => {
    const { user } = await asked()
    const { key, challenge } = await waitingSignIn(auth, user)
    later(1000)
    await done(auth.call('mfaVerify', { challenge, recoveryCode: user.recoveryCodes[0] }))
    const { passkeyId } = await passkeysOf(auth).enrol({ key })
    await done(auth.call('mfaMarkPasskey', { passkeyId, secondFactor: true }, key))
    later(dayMillis)
    expect(await carriedOut(user)).toBe('void')
    expect((await read(user.userId)).body.factors.toSorted()).toEqual(['passkey', 'totp'])
  })

  it('is not due before its mail has left, and the time begins with that', async () => {
    const { user } = await askedForPasskey()
    const { removalId } = await rowOf(user)
    const send = () => Promise.reject(new Error('The provider is down.'))
    const down = { ...held, notifier: { ...held.notifier, send } }
    await expect(mailFactorRemoval(down, removalId)).rejects.toThrow('down')
    later(2 * dayMillis)
    await runJob()
    expect(await carriedOut(user)).toBe('waiting')
    await mailFactorRemoval(held, removalId)
    const facts = (await auth.messagesTo(user.email)).at(-1)
    expect(facts?.template).toBe('factor-removal-asked')
    later(dayMillis - 1000)
    await runJob()
    expect((await rowOf(user)).state).toBe('waiting')
    later(1000)
    await runJob()
    expect((await rowOf(user)).state).toBe('done')
  })

  it('is not due while the application sends no such mail', async () => {
    const { user } = await askedForPasskey()
    const { removalId, stopHash } = await rowOf(user)
    await db.update(factorRemovals).set({ mailedAt: null }).where(isOf(user))
    const off = { ...held, notifier: { ...held.notifier, sends: () => false } }
    await mailFactorRemoval(off, removalId)
    expect(await rowOf(user)).toMatchObject({ mailedAt: null, stopHash })
  })

  const clerk = async () => {
    const name = `clerk-${randomUUID().slice(0, 8)}`
    const permissions = ['user:read', 'user:write']
    await createRole({ name, displayName: 'C', priority: 50, permissions })
    return { operator: await auth.signedInUser({ role: name }), role: name }
  }

  it.each([
    ['is suspended', (by) => set(by.operator.userId, { status: 'suspended' })],
    ['may change no accounts', (by) => setRolePermissions(by.role, ['user:read'])],
    ['ranks with the account', (_by, user) => set(user.userId, { role: 'admin' })],
  ] satisfies [string, (by: Awaited<ReturnType<typeof clerk>>, user: TestUser) => unknown][])(
    'is void where the operator who asked %s by then',
    async (_what, change) => {
      const by = await clerk()
      const { user } = await askedForPasskey(by.operator)
      const { user: other } = await askedForPasskey()
      await change(by, user)
      later(dayMillis)
      expect(await carriedOut(user)).toBe('void')
      expect((await read(user.userId, root)).body.passkeys).toHaveLength(1)
      expect(await carriedOut(other)).toBe('done')
    },
  )

  it('goes with the operator who asked', async () => {
    const { operator } = await clerk()
    const { user } = await askedForPasskey(operator)
    await auth.purge(operator)
    expect(await rowOf(user)).toBe(undefined)
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
      const { user, passkeyId, token } = await askedForPasskey()
      const row = await rowOf(user)
      const { userId } = row
      auth.clock.set(row.dueAt)
      const both = [
        () => stop(token).then(({ status }) => status),
        () => auth.server.within(() => carryOut(held, row)),
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
