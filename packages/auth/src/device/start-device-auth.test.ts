import { createHash, randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { afterAll, describe, expect, it, vi } from 'vitest'
import * as userCodes from '../crypto/crypto.ts'
import { forgetExpired } from '../forget-expired.ts'
import { oneTimeTokens } from '../one-time-token/schema.ts'
import { createTestKey, startTestAuth } from '../testing.ts'
import { dumpTables } from '../trials/attacks/dump-tables.ts'
import { deviceRequests } from './schema.ts'
import { expired, refusal, unknown, waitingDevices } from './testing/test-waiting.ts'

const auth = await startTestAuth()
afterAll(() => auth.stop())
const { start, info, approve, poll, approvedBy, rowOf } = waitingDevices(auth)
const { db } = auth.auth

describe('startDeviceAuth', () => {
  it('answers two codes, when they end and how often to ask, and nothing else (A-186, A-199)', async () => {
    const { registration } = await createTestKey()
    const { status, body } = await auth.call('startDeviceAuth', registration)
    expect(status).toBe(200)
    expect(body).toEqual({
      deviceCode: expect.stringMatching(/^[\w-]{43}$/),
      userCode: expect.stringMatching(/^[2-9A-HJKMNP-Z]{4}-[2-9A-HJKMNP-Z]{4}$/),
      expiresAtMillis: auth.clock.now().getTime() + 600_000,
      intervalMillis: 5_000,
    })
  })

  it('keeps the request with the key that asks, and no account (A-055, A-110)', async () => {
    const device = await start({ deviceName: 'Television', platform: 'desktop' })
    const { publicKey, keyId, fingerprint, algorithm } = device.key.registration
    expect(await rowOf(device)).toEqual({
      codeHash: createHash('sha256').update(device.deviceCode).digest('hex'),
      userCode: device.userCode,
      state: 'pending',
      publicKey,
      keyId,
      fingerprint,
      algorithm,
      deviceName: 'Television',
      platform: 'desktop',
      requestedAt: auth.clock.now(),
      expiresAt: new Date(device.expiresAtMillis),
      claimedBy: null,
      generation: null,
      approvedByKeyId: null,
      authenticatedAt: null,
      binding: null,
      keyExpiresAt: null,
      decidedAt: null,
      lastPolledAt: null,
    })
  })

  it('keeps of the device code a hash only, and says it once (A-053, A-054)', async () => {
    const user = await auth.signedInUser()
    const device = await start()
    const answers = [
      await poll(device),
      await info(device, user),
      await approve(device, user),
      await poll(device),
      await poll(device),
    ]
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 404])
    const said = answers.map(({ body, headers }) => JSON.stringify([body, [...headers]])).join()
    const rows = await dumpTables(db)
    const log = JSON.stringify(auth.logged)
    for (const text of [said, rows, log]) expect(text).not.toContain(device.deviceCode)
    expect(rows).toContain(createHash('sha256').update(device.deviceCode).digest('hex'))
    // The code that people read is kept as it is.
    expect(rows).toContain(device.userCode)
  })

  it('takes the key of RSA-2048 and no public key beyond 2048 characters (A-196)', async () => {
    const { registration } = await createTestKey('RS256')
    expect(registration.publicKey).toHaveLength(392)
    expect((await auth.call('startDeviceAuth', registration)).status).toBe(200)
    const long = {
      publicKey: 'A'.repeat(2049),
      keyId: 'k'.repeat(65),
      fingerprint: 'a'.repeat(129),
      deviceName: 'n'.repeat(65),
    }
    for (const [name, text] of Object.entries(long)) {
      const answer = await auth.call('startDeviceAuth', { ...registration, [name]: text })
      expect(refusal(answer)).toBe('400 ValidationError')
      expect(answer.body.fields).toEqual([expect.objectContaining({ path: `body.${name}` })])
    }
  })

  it('takes no key whose type or fingerprint is another than it says', async () => {
    const { registration } = await createTestKey()
    const ask = async (given: object) =>
      refusal(await auth.call('startDeviceAuth', { ...registration, ...given }))
    expect(await ask({ algorithm: 'RS256' })).toBe('400 KeyAlgorithmMismatchError')
    const { fingerprint, publicKey } = registration
    const shouted = fingerprint.toUpperCase()
    expect(await ask({ fingerprint: shouted })).toBe('400 InvalidKeyFingerprintError')
    const trailing = Buffer.concat([Buffer.from(publicKey, 'base64'), Buffer.from([0])])
    const bytes = trailing.toString('base64')
    expect(await ask({ publicKey: bytes })).toMatch(/^400 /)
    const rows = db.select().from(deviceRequests)
    expect(await rows.where(eq(deviceRequests.keyId, registration.keyId))).toEqual([])
  })

  it('does not tell whether a key id or a public key is registered: the approved poll does', async () => {
    const [owner, approver] = [await auth.signedInUser(), await auth.signedInUser()]
    const gone = await auth.signIn(owner)
    await auth.call('logout', undefined, gone)
    const taken = [
      owner.key.registration,
      gone.registration,
      { ...(await createTestKey()).registration, keyId: owner.key.keyId },
      { ...owner.key.registration, keyId: `key-${randomUUID()}` },
    ]
    for (const registration of taken) {
      const device = await start(registration)
      expect((await approve(device, approver)).status).toBe(200)
      expect(refusal(await poll(device))).toBe('409 KeyIdAlreadyRegisteredError')
      // What was refused is not spent, and is refused again.
      expect(await rowOf(device)).toMatchObject({ state: 'approved' })
      expect(refusal(await poll(device))).toBe('409 KeyIdAlreadyRegisteredError')
    }
    expect(await auth.keysOf(approver.userId)).toHaveLength(1)
  })

  it('shows another code where one was ever shown before', async () => {
    const { userCode } = await start()
    const newUserCode = vi.spyOn(userCodes, 'newUserCode')
    newUserCode.mockReturnValueOnce(userCode)
    expect((await start()).userCode).not.toBe(userCode)
    newUserCode.mockRestore()
  })

  it('leaves rows that authorise nothing once they are over, and are swept a day later (A-056, decisions 16)', async () => {
    const user = await auth.signedInUser()
    const [approved, spent] = [await approvedBy(user), await approvedBy(user)]
    expect((await poll(spent)).status).toBe(200)
    const sweep = async () => {
      await auth.call('issueOneTimeToken', undefined, user.key)
      auth.clock.advance('1m')
      await forgetExpired.enqueue()
      await expect.poll(() => db.$count(oneTimeTokens), { timeout: 10_000 }).toBe(0)
    }
    auth.clock.advance('1h')
    await sweep()
    expect(await rowOf(approved)).toMatchObject({ state: 'approved' })
    expect(await rowOf(spent)).toMatchObject({ state: 'spent' })
    expect([refusal(await poll(approved)), refusal(await poll(spent))]).toEqual([expired, unknown])
    auth.clock.advance('24h')
    await sweep()
    await expect.poll(() => db.$count(deviceRequests)).toBe(0)
    expect([refusal(await poll(approved)), refusal(await poll(spent))]).toEqual([unknown, unknown])
    expect(await auth.keysOf(user.userId)).toHaveLength(2)
  })
})
