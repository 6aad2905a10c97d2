import { randomBytes } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { readKeyring } from '../crypto/crypto.ts'
import { keyringUse, reportMissingRingKeys } from '../keyring/keyring.ts'
import { changeService } from '../running/test-change-held.ts'
import { startTestAuth } from '../testing.ts'
import { totpSecrets } from './schema.ts'
import { type EnrolledUser, enrolledUser, waitingSignIn } from './testing/test-second-factor.ts'

const auth = await startTestAuth()
afterAll(auth.stop)
const { call } = auth

const ringKey = (keyId: string) => `${keyId}:${randomBytes(32).toString('base64')}`
const [first, second] = [ringKey('first'), ringKey('second')]
const [old, spare] = [ringKey('old'), ringKey('spare')]

/** Restarts the server with other keys. */
function restartWith(...keys: string[]) {
  const variables = keys.length > 0 ? { SVC_AUTH_TOKEN_ENCRYPTION_KEYS: keys.join() } : {}
  changeService(auth.server.infrastructure, { keyring: readKeyring(variables) })
}
beforeEach(() => restartWith(first))

const stepUp = (proof: object, { key }: EnrolledUser) => call('mfaStepUp', proof, key)
const unavailable = { status: 501, body: { error: { code: 'MfaUnavailableError' } } }

async function sealedUnder({ userId }: EnrolledUser) {
  const rows = auth.auth.db.select().from(totpSecrets).where(eq(totpSecrets.userId, userId))
  return (await rows)[0]?.secret.split(':')[2]
}

describe('F22: a keyring with another key in front', () => {
  it('checks codes all the same, and encrypts the secret again (A-248)', async () => {
    const user = await enrolledUser(auth)
    expect(await sealedUnder(user)).toBe('first')
    restartWith(second, first)
    expect(await stepUp({ code: user.code() }, user)).toMatchObject({ status: 204 })
    expect(await sealedUnder(user)).toBe('second')
    restartWith(second)
    expect(await stepUp({ code: user.code() }, user)).toMatchObject({ status: 204 })
  })

  it('takes the recovery codes of before (A-248)', async () => {
    const user = await enrolledUser(auth)
    restartWith(second, first)
    const [recoveryCode] = user.recoveryCodes
    expect(await stepUp({ recoveryCode }, user)).toMatchObject({ status: 204 })
  })
})

describe('keyringUse', () => {
  it('says what needs each of its keys, and each that is gone', async () => {
    restartWith(spare, ringKey('next'))
    const user = await enrolledUser(auth)
    await stepUp({ recoveryCode: user.recoveryCodes[0] }, user)
    const uses = await keyringUse()
    const factors = { secondFactors: 1, recoveryCodes: 9, providerTokens: 0 }
    const used = { keyId: 'spare', isActive: true, ...factors }
    expect(uses).toContainEqual(used)
    const none = { secondFactors: 0, recoveryCodes: 0, providerTokens: 0 }
    const unused = { keyId: 'next', isActive: false, ...none }
    expect(uses).toContainEqual(unused)
    restartWith()
    expect(await keyringUse()).toContainEqual({ ...used, isActive: false })
  })
})

describe('F22: a keyring that lacks a key which was needed', () => {
  const said =
    'SVC_AUTH_TOKEN_ENCRYPTION_KEYS lacks keys that stored values need: add the missing ones'

  it('answers that it is unavailable, and says in the log which key it was (A-248)', async () => {
    const user = await enrolledUser(auth)
    const { challenge } = await waitingSignIn(auth, user)
    restartWith(second)
    const [recoveryCode] = user.recoveryCodes
    for (const proof of [{ code: user.code() }, { recoveryCode }]) {
      expect(await stepUp(proof, user)).toMatchObject(unavailable)
      expect(await call('mfaVerify', { challenge, ...proof })).toMatchObject(unavailable)
    }
    const logged = auth.logged.filter(({ msg }) => msg === 'a second factor cannot be read')
    expect(JSON.stringify(logged)).toContain('has no key first')
    restartWith(first)
    expect(await stepUp({ recoveryCode }, user)).toMatchObject({ status: 204 })
  })

  it('is told as a server starts, which starts all the same, with how many accounts it is', async () => {
    restartWith(old)
    for (let accounts = 0; accounts < 2; accounts++) await enrolledUser(auth)
    // It has no keyring at all.
    const { logged } = await auth.secondInstance()
    const [entry] = logged.filter(({ msg }) => msg === said)
    expect(entry?.missing).toContainEqual({ keyId: 'old', accounts: 2 })
    restartWith(first, second, old, spare)
    await reportMissingRingKeys(auth.auth)
    expect(auth.logged.filter(({ msg }) => msg === said)).toEqual([])
  })
})

describe('without a keyring', () => {
  it('no user gets a second factor (A-248)', async () => {
    restartWith()
    const { key } = await auth.signedInUser()
    const passkeyId = '6f1d4f0e-9f5e-4d44-8c6f-0a4bb5f4a6a1'
    const asked = await Promise.all([
      call('mfaTotpEnroll', {}, key),
      call('mfaTotpConfirm', { code: '123456' }, key),
      call('mfaRegenerateRecoveryCodes', {}, key),
      call('mfaMarkPasskey', { passkeyId, secondFactor: true }, key),
    ])
    for (const answer of asked) expect(answer).toMatchObject(unavailable)
    const unmark = await call('mfaMarkPasskey', { passkeyId, secondFactor: false }, key)
    expect(unmark).toMatchObject({ status: 404 })
  })

  it('no code can be checked, and the factor can be removed (A-248)', async () => {
    const user = await enrolledUser(auth)
    restartWith()
    const [recoveryCode] = user.recoveryCodes
    for (const proof of [{ code: user.code() }, { recoveryCode }]) {
      expect(await stepUp(proof, user)).toMatchObject(unavailable)
    }
    expect(await call('mfaDisable', undefined, user.key)).toMatchObject({ status: 204 })
    await auth.signIn(user)
  })
})
