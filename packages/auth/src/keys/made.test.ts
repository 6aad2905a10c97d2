import { eq } from 'drizzle-orm'
import { afterAll, describe, expect, it } from 'vitest'
import { auditEvents } from '../audit/schema.ts'
import { waitingDevices } from '../device/testing/test-waiting.ts'
import { keyRevokedEvent, oauth2RevokedEvent } from '../events.ts'
import { machineOf } from '../machine-keys/testing/machines.ts'
import { oauth2Grants } from '../oauth2/grants/grants.ts'
import { verifyAccessToken } from '../oauth2/oauth2.ts'
import { agentOptions, testAgents } from '../oauth2/testing/test-agent.ts'
import { createTestKey, startTestAuth, type TestKey, type TestUser } from '../testing.ts'
import { deviceKeys } from './schema.ts'

const auth = await startTestAuth(agentOptions)
afterAll(() => auth.stop())
const { db } = auth.auth
const { start, approve, approvedBy, poll } = waitingDevices(auth)
const agents = testAgents(auth)
const agent = await agents.register({ client_name: 'Claude' })

const revoke = (keyId: string, by: TestKey, more: object = {}) =>
  auth.call('revokeKey', { keyId, ...more }, by)
const statusOf = async (key: TestKey) => (await auth.call('getAuthSession', undefined, key)).status
const listed = async (by: TestKey) => (await auth.call('listKeys', {}, by)).body

/** A device that another one has let in. */
async function letIn(by: TestKey, deviceName = 'Living-room TV') {
  // What a list says is in the order in which it came.
  auth.clock.advance(1000)
  const device = await start({ deviceName, platform: 'desktop' })
  expect((await approve(device, { key: by })).status).toBe(200)
  expect((await poll(device)).status).toBe(200)
  return device.key
}

const grantOf = (user: TestUser, key: TestKey) => agents.tokens({ ...user, key }, agent)

async function isGood({ access_token, refresh_token }: Awaited<ReturnType<typeof grantOf>>) {
  const opens = (await verifyAccessToken(access_token, '/mcp')) !== null
  const renews = (await agents.refresh(agent, refresh_token)).status === 200
  expect(opens).toBe(renews)
  return renews
}

/** A stolen phone with all that it can let in, and the owner's laptop. */
async function household() {
  const user = await auth.signedInUser()
  const phone = await auth.signIn(user)
  const tv = await letIn(phone)
  const radio = await letIn(tv, 'Radio')
  auth.clock.advance(1000)
  const machine = await machineOf(auth, { key: phone })
  const tokens = await grantOf(user, phone)
  const tvTokens = await grantOf(user, tv)
  return { user, laptop: user.key, phone, tv, radio, machine, tokens, tvTokens }
}

const itemOf = ({ keys }: { keys: { keyId: string; letIn?: object[] }[] }, { keyId }: TestKey) =>
  keys.find((key) => key.keyId === keyId)

const tvItem = ({ keyId }: TestKey) => ({
  kind: 'device',
  id: keyId,
  name: 'Living-room TV',
  platform: 'desktop',
})
const claude = { kind: 'agent', id: expect.any(String), name: 'Claude' }

describe('revokeKey of another device', () => {
  it('ends what that has let in, what this has let in, and says so (decision 16)', async () => {
    const { laptop, phone, tv, radio, machine, tokens, tvTokens } = await household()
    const answer = await revoke(phone.keyId, laptop)
    expect(answer).toMatchObject({ status: 200, body: { selfRevoked: false } })
    expect(answer.body.ended).toEqual([
      tvItem(tv),
      { ...tvItem(radio), name: 'Radio' },
      { kind: 'machine', id: machine.keyId },
      claude,
      claude,
    ])
    for (const key of [phone, tv, radio, machine]) expect(await statusOf(key)).toBe(401)
    for (const each of [tokens, tvTokens]) expect(await isGood(each)).toBe(false)
    expect(await statusOf(laptop)).toBe(200)
    expect((await listed(laptop)).keys).toHaveLength(1)
  })

  it('tells of all keys in one event, so that their streams end, and of each agent', async () => {
    const { user, laptop, phone, tv, radio, machine } = await household()
    const [keys, grants]: unknown[][] = [[], []]
    const leave = [
      keyRevokedEvent.subscribe((payload) => void keys?.push(payload)),
      oauth2RevokedEvent.subscribe((payload) => void grants?.push(payload)),
    ]
    await revoke(phone.keyId, laptop)
    for (const each of leave) each()
    const keyIds = [phone, tv, radio, machine].map(({ keyId }) => keyId)
    const told = { userId: user.userId, reason: 'revoked' }
    expect(keys).toEqual([{ ...told, keyIds: [phone.keyId, ...keyIds.slice(1)] }])
    expect(grants).toMatchObject([{ reason: 'device_revoked' }, { reason: 'device_revoked' }])
    const trail = await db.select().from(auditEvents).where(eq(auditEvents.target, radio.keyId))
    expect(trail).toContainEqual(
      expect.objectContaining({ act: 'key.revoked', details: { madeBy: phone.keyId } }),
    )
  })

  it('ends nothing else where it is told to keep it', async () => {
    const { laptop, phone, tv, radio, machine, tokens } = await household()
    const { status, body } = await revoke(phone.keyId, laptop, { keepMade: true })
    expect({ status, body }).toEqual({
      status: 200,
      body: { keyId: phone.keyId, selfRevoked: false },
    })
    expect(await statusOf(phone)).toBe(401)
    for (const key of [tv, radio, machine]) expect(await statusOf(key)).toBe(200)
    expect(await isGood(tokens)).toBe(true)
  })

  it('ends what was let in by a device that has ended by now, and by one in between', async () => {
    const { laptop, phone, tv, radio, machine, tokens } = await household()
    await auth.call('logout', undefined, tv)
    await auth.call('logout', undefined, phone)
    expect(await statusOf(radio)).toBe(200)
    const { body } = await revoke(phone.keyId, laptop)
    expect(body.ended).toHaveLength(4)
    for (const key of [radio, machine]) expect(await statusOf(key)).toBe(401)
    expect(await isGood(tokens)).toBe(false)
    expect((await revoke(phone.keyId, laptop)).body).toEqual({
      keyId: phone.keyId,
      selfRevoked: false,
    })
  })

  it('spares the device that asks, with what it has let in itself', async () => {
    const { phone, tv, radio, machine, tokens, tvTokens } = await household()
    const { body } = await revoke(phone.keyId, tv)
    expect(body).toEqual({
      keyId: phone.keyId,
      selfRevoked: false,
      ended: [{ kind: 'machine', id: machine.keyId }, claude],
    })
    for (const key of [tv, radio]) expect(await statusOf(key)).toBe(200)
    expect([await isGood(tokens), await isGood(tvTokens)]).toEqual([false, true])
  })

  it('leaves an approval that no device has collected, and says so (A-107, A-113)', async () => {
    const { user, laptop, phone } = await household()
    const waiting = await approvedBy({ key: phone })
    const approval = {
      kind: 'approval',
      id: waiting.key.keyId,
      expiresAtMillis: waiting.expiresAtMillis,
    }
    expect(itemOf(await listed(laptop), phone)?.letIn).toContainEqual(approval)
    expect((await revoke(phone.keyId, laptop)).body.approvals).toEqual([approval])
    expect((await listed(laptop)).approvals).toEqual([approval])
    expect((await poll(waiting)).status).toBe(200)
    expect(await listed(laptop)).not.toHaveProperty('approvals')
    // Its maker can be revoked once more: then it ends.
    const { body } = await revoke(phone.keyId, laptop)
    expect(body.ended).toEqual([{ kind: 'device', id: waiting.key.keyId }])
    expect(await statusOf(waiting.key)).toBe(401)
    expect((await auth.keysOf(user.userId)).filter(({ state }) => state === 'active')).toHaveLength(
      1,
    )
  })

  it('refuses an approval where every device is signed out (A-109)', async () => {
    const user = await auth.signedInUser()
    const waiting = await approvedBy({ key: await auth.signIn(user) })
    expect((await auth.call('revokeAllKeys', {}, user.key)).status).toBe(200)
    expect((await poll(waiting)).status).toBe(403)
    expect(await listed(user.key)).not.toHaveProperty('approvals')
  })

  it('ends a code that an agent has not redeemed yet', async () => {
    const user = await auth.signedInUser()
    const phone = await auth.signIn(user)
    const code = await agents.allow({ ...user, key: phone }, agent)
    expect((await revoke(phone.keyId, user.key)).body.ended).toEqual([claude])
    expect((await agents.redeem(agent, code)).status).toBe(400)
  })

  it('ends nothing of another account', async () => {
    const { laptop, phone, tv } = await household()
    const stranger = await auth.signedInUser()
    expect((await revoke(phone.keyId, stranger.key)).status).toBe(404)
    for (const key of [laptop, phone, tv]) expect(await statusOf(key)).toBe(200)
  })
})

describe('what a key has let in', () => {
  it.each<[string, (phone: TestKey) => Promise<unknown>]>([
    ['signs out', (phone) => auth.call('logout', undefined, phone)],
    ['revokes its own key', (phone) => revoke(phone.keyId, phone)],
  ])('stays when the device %s', async (_, leave) => {
    const { phone, tv, radio, machine, tokens } = await household()
    expect(await leave(phone)).toMatchObject({ status: expect.toSatisfy((each) => each < 300) })
    expect(await statusOf(phone)).toBe(401)
    for (const key of [tv, radio, machine]) expect(await statusOf(key)).toBe(200)
    expect(await isGood(tokens)).toBe(true)
  })

  it('is handed on by a rotation, at either end (decision 16)', async () => {
    const { laptop, phone, tv, radio, machine, tokens, tvTokens } = await household()
    const waiting = await approvedBy({ key: phone })
    const [next, nextTv, nextMachine] = [
      await createTestKey(),
      await createTestKey(),
      await createTestKey(),
    ]
    for (const [old, fresh] of [
      [phone, next],
      [tv, nextTv],
      [machine, nextMachine],
    ] as const) {
      auth.clock.advance(1000)
      expect((await auth.call('rotateKey', fresh.registration, old)).status).toBe(200)
    }
    const { keys } = await listed(laptop)
    expect(itemOf({ keys }, next)?.letIn).toEqual([
      { ...tvItem(nextTv), id: nextTv.keyId },
      { kind: 'machine', id: nextMachine.keyId },
      claude,
      expect.objectContaining({ kind: 'approval', id: waiting.key.keyId }),
    ])
    const { body } = await revoke(next.keyId, laptop)
    expect(body.approvals).toHaveLength(1)
    for (const key of [nextTv, radio, nextMachine]) expect(await statusOf(key)).toBe(401)
    for (const each of [tokens, tvTokens]) expect(await isGood(each)).toBe(false)
  })

  it('ends with the device where its key was rotated since the list was read', async () => {
    const { laptop, phone, tv, radio, machine, tokens } = await household()
    const next = await createTestKey()
    expect((await auth.call('rotateKey', next.registration, phone)).status).toBe(200)

    const { body } = await revoke(phone.keyId, laptop)
    expect(body).toMatchObject({ keyId: phone.keyId, selfRevoked: false })
    expect(body.ended).toHaveLength(5)
    for (const key of [next, tv, radio, machine]) expect(await statusOf(key)).toBe(401)
    expect(await isGood(tokens)).toBe(false)
  })

  it('has let in a device that had run out, and that it approved again', async () => {
    const user = await auth.signedInUser()
    const phone = await auth.signIn(user)
    const tv = await auth.signIn(user)
    const expiresAt = auth.clock.now()
    await db.update(deviceKeys).set({ expiresAt }).where(eq(deviceKeys.keyId, tv.keyId))
    const device = await start(tv.registration)
    await approve(device, { key: phone })
    expect((await poll(device)).status).toBe(200)
    expect(await statusOf(tv)).toBe(200)
    expect((await revoke(phone.keyId, user.key)).body.ended).toEqual([
      { kind: 'device', id: tv.keyId },
    ])
  })

  it('may go round in a circle, which is followed once', async () => {
    const user = await auth.signedInUser()
    const phone = await auth.signIn(user)
    const tv = await letIn(phone)
    const expiresAt = auth.clock.now()
    await db.update(deviceKeys).set({ expiresAt }).where(eq(deviceKeys.keyId, phone.keyId))
    const device = await start(phone.registration)
    await approve(device, { key: tv })
    expect((await poll(device)).status).toBe(200)
    const { keys } = await listed(user.key)
    expect(itemOf({ keys }, phone)?.letIn).toEqual([tvItem(tv)])
    expect(itemOf({ keys }, tv)?.letIn).toEqual([{ kind: 'device', id: phone.keyId }])
    expect((await revoke(tv.keyId, user.key)).body.ended).toEqual([
      { kind: 'device', id: phone.keyId },
    ])
    expect(await statusOf(phone)).toBe(401)
  })
})

describe('listKeys', () => {
  it('says what each key let in, each with the one that is signed in', async () => {
    const { laptop, phone, tv, radio, machine } = await household()
    const before = await listed(laptop)
    expect(itemOf(before, phone)?.letIn).toEqual([
      tvItem(tv),
      { kind: 'machine', id: machine.keyId },
      claude,
    ])
    expect(itemOf(before, tv)?.letIn).toEqual([{ ...tvItem(radio), name: 'Radio' }, claude])
    for (const key of [laptop, radio, machine]) {
      expect(itemOf(before, key)).not.toHaveProperty('letIn')
    }
    await auth.call('logout', undefined, tv)
    const after = itemOf(await listed(laptop), phone)?.letIn
    expect(after).toEqual([
      { ...tvItem(radio), name: 'Radio' },
      { kind: 'machine', id: machine.keyId },
      claude,
      claude,
    ])
  })

  it('names nothing that an account-wide revocation has ended', async () => {
    const { user, laptop, phone } = await household()
    await auth.call('revokeAllKeys', {}, phone)
    const again = await auth.signIn(user)
    expect(itemOf(await listed(again), phone)).not.toHaveProperty('letIn')
    const grants = db.select().from(oauth2Grants).where(eq(oauth2Grants.userId, user.userId))
    expect(await grants).toHaveLength(2)
    expect(await statusOf(laptop)).toBe(401)
  })
})
