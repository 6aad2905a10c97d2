import { randomUUID } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import { afterAll, describe, expect, it } from 'vitest'
import { users } from '../accounts/schema.ts'
import { auditEvents } from '../audit/schema.ts'
import { stepsOf } from '../contact/testing/contact.ts'
import { exportUserData } from '../data-export/data-export.ts'
import { deletionOn, purgeAccount } from '../deletion/deletion.ts'
import { passkeyRevokedEvent } from '../events.ts'
import { forgetExpired } from '../forget-expired.ts'
import { refused } from '../test-answers.ts'
import { createTestKey, startTestAuth, type TestAnswer, testPassword } from '../testing.ts'
import { createTestAuthenticator } from '../webauthn/testing/test-authenticator.ts'
import { passkeyChallenges, passkeys } from './schema.ts'
import { passkeysOf } from './testing/test-passkeys.ts'

const auth = await startTestAuth()
afterAll(() => auth.stop())
const { db } = auth.auth
const { registerOptions, loginOptions, enrol, login, rowOf, list, revoke, mark } = passkeysOf(auth)

const told: unknown[] = []
passkeyRevokedEvent.subscribe((payload) => void told.push(payload))

async function owner(device = createTestAuthenticator()) {
  const user = await auth.signedInUser()
  return { user, ...(await enrol(user, device)) }
}

const set = ({ userId }: { userId: string }, values: Partial<typeof users.$inferInsert>) =>
  db.update(users).set(values).where(eq(users.userId, userId))

const whole = ({ status, body, headers }: TestAnswer) => {
  const varying = new Set(['date', 'x-request-id'])
  const id = headers.get('x-request-id') ?? ''
  const kept = [...headers].filter(([name]) => !varying.has(name))
  return JSON.stringify({ status, kept, body }).replaceAll(id, 'id')
}

const rename = (key: Parameters<typeof auth.call>[2], passkeyId: string, label: string) =>
  auth.call('renamePasskey', { passkeyId, label }, key)

describe('listPasskeys', () => {
  it('answers the caller’s, oldest first, and nothing that checks or finds them (A-047, A-230)', async () => {
    const { user, passkeyId, credentialId } = await owner()
    auth.clock.advance(1000)
    const second = await enrol(user)
    await owner()
    const answer = await auth.call('listPasskeys', {}, user.key)

    expect(answer.body.passkeys.map((item: { passkeyId: string }) => item.passkeyId)).toEqual([
      passkeyId,
      second.passkeyId,
    ])
    const row = await rowOf(passkeyId)
    const text = JSON.stringify(answer.body)
    for (const kept of [credentialId, row?.publicKey ?? '', row?.aaguid ?? '', user.userId]) {
      expect(text).not.toContain(kept)
    }
    expect(await auth.call('listPasskeys', {})).toMatchObject({ status: 401 })
  })
})

describe('renamePasskey', () => {
  it('names a passkey, made harmless and bounded (A-231)', async () => {
    const { user, passkeyId } = await owner()
    const answer = await rename(user.key, passkeyId, ' Blue\u202E\u0007 key ')
    expect(answer).toMatchObject({ status: 200, body: { passkeyId, label: 'Blue key' } })
    expect(await list(user)).toEqual([answer.body])
    expect((await rename(user.key, passkeyId, ' ')).body).not.toHaveProperty('label')
    expect(await rename(user.key, passkeyId, 'x'.repeat(65))).toMatchObject({ status: 400 })
  })

  it('does not tell another account’s passkey from none at all', async () => {
    const mine = await owner()
    const theirs = await owner()
    const unknown = whole(await rename(mine.user.key, randomUUID(), 'Mine'))
    expect(unknown).toContain('PasskeyNotFoundError')
    expect(whole(await rename(mine.user.key, theirs.passkeyId, 'Mine'))).toBe(unknown)
    expect(whole(await rename(mine.user.key, 'x', 'Mine'))).toBe(unknown)
    expect(await rowOf(theirs.passkeyId)).toMatchObject({ label: null })
  })
})

describe('revokePasskey', () => {
  it('takes a passkey away, tells of it, and leaves the devices (A-047, A-232)', async () => {
    const { user, device, passkeyId } = await owner()
    await rename(user.key, passkeyId, 'Blue')
    const key = await createTestKey()
    await login(device, {}, key)
    expect(await revoke(user, passkeyId)).toMatchObject({ status: 200, body: { passkeyId } })

    expect(await list(user)).toEqual([])
    expect(await login(device)).toMatchObject(refused(401, 'PasskeyVerificationError'))
    for (const signs of [user.key, key]) {
      expect(await auth.call('getAuthSession', undefined, signs)).toMatchObject({ status: 200 })
    }
    expect(told).toEqual([{ userId: user.userId, passkeyId }])
    const acts = await db
      .select()
      .from(auditEvents)
      .where(eq(auditEvents.target, passkeyId))
      .orderBy(auditEvents.auditId)
    expect(acts.map(({ act }) => act).toSorted()).toEqual(['passkey.enrolled', 'passkey.revoked'])
    const { rows } = await db.execute(sql`
      select data->'input'->'facts'->>'label' as label from svc_jobs.job
      where name = 'auth.notice' and data->'input'->>'userId' = ${user.userId}
      and data->'input'->>'template' = 'passkey-removed'`)
    expect(rows).toEqual([{ label: 'Blue' }])
    expect(await revoke(user, passkeyId)).toMatchObject(refused(404, 'PasskeyNotFoundError'))
  })

  it('does not tell another account’s passkey from none at all', async () => {
    const mine = await owner()
    const theirs = await owner()
    const unknown = whole(await revoke(mine.user, randomUUID()))
    expect(unknown).toContain('PasskeyNotFoundError')
    expect(whole(await revoke(mine.user, theirs.passkeyId))).toBe(unknown)
    expect(whole(await revoke(mine.user, "' or true --"))).toBe(unknown)
    expect(await rowOf(theirs.passkeyId)).toBeTruthy()
  })

  it('needs a sign-in a moment ago, or the password (A-234)', async () => {
    const { user, passkeyId } = await owner()
    auth.clock.advance('10m')
    expect(await revoke(user, passkeyId)).toMatchObject(
      refused(403, 'RecentAuthenticationRequiredError'),
    )
    expect(await revoke(user, passkeyId, { currentPassword: 'wrong' })).toMatchObject(
      refused(401, 'InvalidCredentialsError'),
    )
    expect(await rowOf(passkeyId)).toBeTruthy()
    const right = { currentPassword: testPassword }
    expect(await revoke(user, passkeyId, right)).toMatchObject({ status: 200 })
  })

  const nothing = {
    passwordHash: null,
    emailVerifiedAt: null,
    phone: null,
    phoneVerifiedAt: null,
  }
  const now = auth.clock.now()
  it.each([
    ['nothing', nothing, 409],
    ['a password without a name to sign in with', { email: null, emailVerifiedAt: null }, 409],
    ['a number that is not proved', { ...nothing, phone: '+12025550141' }, 409],
    ['a password', { emailVerifiedAt: null }, 200],
    ['a proved address', { passwordHash: null }, 200],
    ['a proved number', { ...nothing, phone: '+12025550142', phoneVerifiedAt: now }, 200],
  ] as const)('with %s left: (A-232)', async (_, values, status) => {
    const { user, device, passkeyId } = await owner()
    await set(user, values)
    const answer = await revoke(user, passkeyId)
    expect(answer.status).toBe(status)
    if (status === 200) return
    expect(answer).toMatchObject(refused(409, 'LastRecoveryCredentialError'))
    expect(await login(device)).toMatchObject({ status: 200 })
    const other = await enrol(user)
    expect(await revoke(user, passkeyId)).toMatchObject({ status: 200 })
    expect(await revoke(user, other.passkeyId)).toMatchObject({ status: 409 })
  })

  it('leaves a way in that works: an unusable key is none, and can be removed', async () => {
    const { user, device, passkeyId } = await owner()
    const dead = await enrol(user)
    await db.update(passkeys).set({ publicKey: 'oA' }).where(eq(passkeys.passkeyId, dead.passkeyId))
    await set(user, nothing)
    expect(await revoke(user, passkeyId)).toMatchObject(refused(409, 'LastRecoveryCredentialError'))
    expect(await login(device)).toMatchObject({ status: 200 })
    expect(await login(dead.device)).toMatchObject(refused(401, 'PasskeyVerificationError'))
    expect(await revoke(user, dead.passkeyId)).toMatchObject({ status: 200 })
    expect(await list(user)).toMatchObject([{ passkeyId }])
  })

  it('removes an unusable key, also if the account has no other way in', async () => {
    const { user, passkeyId } = await owner()
    await db.update(passkeys).set({ publicKey: 'oA' }).where(eq(passkeys.passkeyId, passkeyId))
    await set(user, nothing)
    expect(await revoke(user, passkeyId)).toMatchObject({ status: 200 })
  })

  it('asks for the second factor, and ends it with the last that counted as one', async () => {
    const { user, device, passkeyId } = await owner()
    const other = await enrol(user)
    await mark(passkeyId)
    await mark(other.passkeyId)
    await set(user, { secondFactorSince: auth.clock.now() })
    expect(await revoke(user, passkeyId)).toMatchObject(refused(403, 'StepUpRequiredError'))

    const key = await createTestKey()
    await login(device, {}, key)
    const since = async () => {
      const [row] = await db.select().from(users).where(eq(users.userId, user.userId))
      return row?.secondFactorSince ?? null
    }
    expect(await revoke({ key }, passkeyId)).toMatchObject({ status: 200 })
    expect(await since()).not.toBeNull()
    expect(await revoke({ key }, other.passkeyId)).toMatchObject({ status: 200 })
    expect(await since()).toBeNull()
  })
})

describe('what is kept of passkeys', () => {
  it('is in the export of their owner’s data, without keys', async () => {
    const { user, passkeyId, credentialId } = await owner()
    await owner()
    const exported = await exportUserData(user.userId)
    expect(exported['passkeys']).toMatchObject([
      { passkeyId, credentialId, deviceType: 'singleDevice' },
    ])
    const { publicKey = '' } = (await rowOf(passkeyId)) ?? {}
    expect(JSON.stringify(exported)).not.toContain(publicKey)
    const row = (await rowOf(passkeyId)) as object
    const left = ['userId', 'publicKey', 'counter']
    const columns = Object.keys(row).filter((name) => !left.includes(name))
    expect(Object.keys((exported['passkeys'] as object[])[0] ?? {}).toSorted()).toEqual(
      columns.toSorted(),
    )
  })

  it('goes with the account', async () => {
    const { user } = await owner()
    const { userId } = user
    await registerOptions(user.key)
    await set(user, { status: 'pending_deletion', purgeAt: auth.clock.now() })
    await purgeAccount(deletionOn(auth.auth.db), userId)
    expect(await db.$count(passkeys, eq(passkeys.userId, userId))).toBe(0)
    expect(await db.$count(passkeyChallenges, eq(passkeyChallenges.userId, userId))).toBe(0)
  })

  it('has no challenge that has expired', async () => {
    await db.delete(passkeyChallenges)
    await loginOptions()
    auth.clock.advance(300_000 - 1)
    await loginOptions()
    auth.clock.advance(1)
    await forgetExpired.enqueue()
    await expect.poll(() => db.$count(passkeyChallenges), { timeout: 10_000 }).toBe(1)
  })

  it('has no challenge as it was given out', async () => {
    const { challenge } = await loginOptions()
    const rows = await db.select().from(passkeyChallenges)
    expect(rows.length).toBeGreaterThan(0)
    expect(JSON.stringify(rows)).not.toContain(challenge)
  })
})

describe('the link that takes a change of address back', () => {
  it('takes away the passkeys that were put in since, and in the three days before', async () => {
    const { changed, undo, newEmail } = stepsOf(auth)
    const { user, device, passkeyId } = await owner()
    const { email } = user
    auth.clock.advance('73h')
    const before = await enrol({ key: await auth.signIn(user) })
    auth.clock.advance('71h')
    const changedTo = newEmail()
    const token = await changed(user, changedTo, email)
    const since = await enrol({ key: await auth.signIn({ ...user, email: changedTo }) })
    await mark(since.passkeyId)
    await set(user, { secondFactorSince: auth.clock.now() })
    expect(await undo(token)).toMatchObject({ status: 200 })

    expect(await rowOf(before.passkeyId)).toBeUndefined()
    expect(await rowOf(since.passkeyId)).toBeUndefined()
    expect(await rowOf(passkeyId)).toBeTruthy()
    expect(told).toContainEqual({ userId: user.userId, passkeyId: since.passkeyId })
    const [row] = await db.select().from(users).where(eq(users.userId, user.userId))
    expect(row).toMatchObject({ secondFactorSince: null })
    expect(await login(before.device)).toMatchObject({ status: 401 })
    expect(await login(device)).toMatchObject({ status: 200 })
  })
})
