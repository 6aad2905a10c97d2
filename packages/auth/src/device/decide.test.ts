import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { lockAccount } from '../accounts/accounts.ts'
import { users } from '../accounts/schema.ts'
import { auditEvents } from '../audit/schema.ts'
import { suspendUser } from '../suspension/suspension.ts'
import { startTestAuth, type TestUser } from '../testing.ts'
import {
  denied,
  expired,
  handled,
  refusal,
  said,
  type TestDevice,
  unknown,
  waitingDevices,
} from './testing/test-waiting.ts'

const auth = await startTestAuth()
afterAll(() => auth.stop())
const { start, info, approve, deny, poll, approvedBy, rowOf } = waitingDevices(auth)
const { db } = auth.auth

const acts = { info, approve, deny }
const names = Object.keys(acts) as (keyof typeof acts)[]

let user: TestUser
let other: TestUser
beforeAll(async () => {
  user = await auth.signedInUser()
  other = await auth.signedInUser()
})
const proveRecent = () => Promise.all([user, other].map(auth.proveRecent))
beforeEach(proveRecent)

async function waitingForLocks() {
  const { rows } = await db.execute(sql`
    select count(*)::int as waiting from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`)
  return Number(rows[0]?.waiting)
}

const shown = { deviceName: 'Television', platform: 'desktop' } as const
const shownOf = ({ key, expiresAtMillis }: TestDevice) => ({
  ...shown,
  fingerprintPrefix: key.registration.fingerprint.slice(0, 8),
  requestedAtMillis: auth.clock.now().getTime(),
  expiresAtMillis,
})

describe('getDeviceAuthInfo', () => {
  it('shows by what the approver recognises the device (A-189, A-193)', async () => {
    const device = await start(shown)
    const { status, body } = await info(device, user)
    expect([status, body]).toEqual([200, shownOf(device)])
    const nameless = await start()
    expect(Object.keys((await info(nameless, user)).body)).toEqual([
      'fingerprintPrefix',
      'requestedAtMillis',
      'expiresAtMillis',
    ])
  })

  it('shows a name that cannot turn text around or break a terminal (A-193)', async () => {
    const deviceName = '<b>\u202Egpj\u200B.exe\n\u001B[31m'
    const { body } = await info(await start({ deviceName }), user)
    expect(body.deviceName).toBe('<b> gpj .exe [31m')
  })

  it('may be asked again by the one account that it was shown to', async () => {
    const device = await start()
    expect((await info(device, user)).status).toBe(200)
    expect((await info(device, user)).status).toBe(200)
    expect((await approve(device, user)).status).toBe(200)
  })

  it('reads the code without regard to case, spaces and dashes, and takes no look-alike', async () => {
    const { userCode } = await start()
    const letters = userCode.replace('-', '')
    for (const typed of [letters, ` ${letters.toLowerCase()} `, letters.split('').join(' ')]) {
      expect((await info({ userCode: typed }, user)).status).toBe(200)
    }
    const near = [`${letters.slice(0, 7)}0`, `${letters}2`, letters.slice(0, 7), '', 'O0I1-LLLL']
    for (const typed of near) expect(refusal(await info({ userCode: typed }, user))).toBe(unknown)
  })
})

describe('approveDeviceAuth', () => {
  it('approves and answers what info answers (A-190, A-192, A-193)', async () => {
    const device = await start(shown)
    const { status, body } = await approve(device, user)
    expect([status, body]).toEqual([200, shownOf(device)])
    expect(await rowOf(device)).toMatchObject({
      state: 'approved',
      claimedBy: user.userId,
      generation: 0,
      decidedAt: auth.clock.now(),
    })
    expect(await auth.keysOf(user.userId)).toHaveLength(1)
  })

  it('asks a user with a second factor to prove it first (A-190)', async () => {
    const careful = await auth.signedInUser()
    const device = await start()
    const since = { secondFactorSince: auth.clock.now() }
    await db.update(users).set(since).where(eq(users.userId, careful.userId))
    expect(refusal(await approve(device, careful))).toBe('403 StepUpRequiredError')
    expect(await rowOf(device)).toMatchObject({ state: 'pending' })
    expect((await deny(device, careful)).status).toBe(204)
  })

  it('is a row of the audit trail, as is a denial', async () => {
    const owner = await auth.signedInUser()
    const [yes, no] = [await start(shown), await start()]
    await approve(yes, owner)
    await deny(no, owner)
    await approve(no, owner)
    const rows = db.select().from(auditEvents).where(eq(auditEvents.actor, owner.userId))
    const prefix = ({ key }: TestDevice) => key.registration.fingerprint.slice(0, 8)
    expect((await rows).slice(1)).toMatchObject([
      {
        act: 'device.approved',
        outcome: 'done',
        keyId: owner.key.keyId,
        target: yes.key.keyId,
        details: { ...shown, fingerprintPrefix: prefix(yes) },
      },
      { act: 'device.denied', target: no.key.keyId, details: { fingerprintPrefix: prefix(no) } },
    ])
    expect(await rows).toHaveLength(3)
  })
})

describe('denyDeviceAuth', () => {
  it('denies with 204 and no body (A-191, A-192)', async () => {
    const device = await start()
    const { status, body } = await deny(device, user)
    expect([status, body]).toEqual([204, undefined])
    expect(await rowOf(device)).toMatchObject({ state: 'denied', claimedBy: user.userId })
  })
})

describe('a decision', () => {
  it.each(['approve', 'deny'] as const)(
    'to %s is never undone (A-105, A-112, A-367)',
    async (decide) => {
      const device = await start()
      await acts[decide](device, user)
      const before = await rowOf(device)
      for (const name of names) expect(refusal(await acts[name](device, user))).toBe(handled)
      expect(await rowOf(device)).toEqual(before)
    },
  )

  it.each(names)('is the business of one account, from its %s on (A-110)', async (first) => {
    const device = await start()
    await acts[first](device, user)
    const before = await rowOf(device)
    expect(before.claimedBy).toBe(user.userId)
    for (const name of names) {
      const nowhere = await acts[name]({ userCode: '2222-2222' }, other)
      expect(refusal(nowhere)).toBe(unknown)
      expect(said(await acts[name](device, other))).toBe(said(nowhere))
    }
    expect(await rowOf(device)).toEqual(before)
    auth.clock.advance('10m')
    await proveRecent()
    for (const name of names) expect(refusal(await acts[name](device, other))).toBe(unknown)
  })

  it('is refused as one on an unknown code once the device has come for it (A-364)', async () => {
    const device = await approvedBy(user)
    await poll(device)
    for (const name of names) {
      const answer = await acts[name](device, user)
      expect(said(answer)).toBe(said(await acts[name]({ userCode: '2222-2222' }, user)))
      expect(answer.status).toBe(404)
    }
  })

  it.each(names)('comes too late when the time is up: %s (A-111, A-112)', async (name) => {
    const [free, claimed, decided] = [await start(), await start(), await approvedBy(user)]
    await info(claimed, user)
    auth.clock.advance(599_999)
    expect((await acts[name](await start(), user)).status).toBeLessThan(300)
    auth.clock.advance(1)
    await proveRecent()
    for (const device of [free, claimed, decided]) {
      const before = await rowOf(device)
      expect(refusal(await acts[name](device, user))).toBe(expired)
      expect(await rowOf(device)).toEqual(before)
    }
  })

  it('and a collection are judged when they have the account, not when they were asked for (A-111)', async () => {
    const [device, approved] = [await start(), await approvedBy(user)]
    const asked = await db.transaction(async (tx) => {
      await lockAccount(tx, user.userId)
      const answers = [approve(device, user), poll(approved)]
      await expect.poll(() => waitingForLocks()).toBe(2)
      auth.clock.advance('10m')
      return { answers }
    })
    const answers = await Promise.all(asked.answers)
    expect(answers.map(refusal)).toEqual([expired, expired])
    expect(await rowOf(device)).toMatchObject({ state: 'pending' })
    expect(await rowOf(approved)).toMatchObject({ state: 'approved' })
    expect(await auth.keysOf(user.userId)).not.toContainEqual(
      expect.objectContaining({ keyId: approved.key.keyId }),
    )
  })

  it.each(names)('takes a user who is signed in, and not suspended: %s', async (name) => {
    const { userCode } = await start()
    const path = { info: 'getDeviceAuthInfo', approve: 'approveDeviceAuth', deny: 'denyDeviceAuth' }
    const operation = path[name] as 'getDeviceAuthInfo'
    const nobody = await auth.call(operation, { userCode })
    expect([nobody.status, nobody.body.error.code]).toEqual([401, 'UnauthorizedError'])
    const suspended = await auth.signedInUser()
    await suspendUser(suspended.userId)
    expect((await acts[name]({ userCode }, suspended)).status).toBe(401)
    expect(await rowOf({ userCode })).toMatchObject({ state: 'pending', claimedBy: null })
  })

  it('counts for the account as it was: not once its generation has been raised', async () => {
    const owner = await auth.signedInUser()
    const device = await approvedBy(owner)
    // As a revocation does, but without refusing what waits.
    await db.update(users).set({ generation: 1 }).where(eq(users.userId, owner.userId))
    expect(refusal(await poll(device))).toBe(denied)
    expect(await auth.keysOf(owner.userId)).toHaveLength(1)
  })

  it('of an account that is gone is unknown to all others', async () => {
    const gone = await auth.signedInUser()
    const device = await approvedBy(gone)
    await db.execute(sql`update svc_auth.device_requests set claimed_by = null
      where user_code = ${device.userCode}`)
    expect(refusal(await approve(device, user))).toBe(unknown)
    expect(refusal(await poll(device))).toBe(denied)
  })
})
