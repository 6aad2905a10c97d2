import { HttpError, type RawContext, type Tx } from '@svc/core'
import { lockAccount } from '../accounts/accounts.ts'
import { auditRefusal, recordAudit } from '../audit/audit.ts'
import type { Auth } from '../auth.ts'
import { findSigner } from '../authenticate/authenticate.ts'
import { type CallerRow, type RequestOrigin, requestOrigin } from '../caller/caller.ts'
import type { CheckedKey } from '../capability/capability.ts'
import type { NewDeviceKey } from '../capability/fields.ts'
import { parseRequestJwt } from '../crypto/crypto.ts'
import { inTransaction } from '../in-transaction.ts'
import {
  checkNewKey,
  handOn,
  isRenewable,
  keepLabel,
  renewableAfter,
  renewedLife,
  revokeRenewable,
} from '../keys/keys.ts'
import {
  askForOwnPasskey,
  type CheckedPasskey,
  checkPasskey,
  notePasskey,
  worthOf,
} from '../passkeys/passkeys.ts'
import { completeSignIn } from '../sign-in/sign-in.ts'
import { keysRevoked } from '../streams/streams.ts'
import type { AuthenticationResponse } from '../webauthn/fields.ts'
import { SessionRenewalRefusedError } from './errors.ts'

interface RenewBody extends NewDeviceKey {
  expiredKeyId: string
  response: AuthenticationResponse
}

const act = 'session.renewed'

/**
 * Replaces an expired bound key by a new one: the old key's signature and a passkey of the account
 * prove the user.
 */
export async function renewSession(
  auth: Auth,
  { raw, body }: { raw: RawContext; body: RenewBody },
) {
  const key = checkNewKey(body)
  const { expiredKeyId, response } = body
  return oneRefusal(async () => {
    const signer = await findRenewing(auth, { raw, expiredKeyId })
    const { userId, keyId } = signer
    const origin = requestOrigin(raw)
    return auditRefusal(auth, { act, target: userId, origin }, async () => {
      const challenge = { kind: 'renew' as const, userId, keyId }
      const checked = await checkPasskey(auth.db, auth, { ...challenge, response })
      const renewal = { signer, checked, key, origin, now: auth.clock.now() }
      return inTransaction(auth.db, (tx) => putInPlace(tx, auth, renewal))
    })
  })
}

interface Renewal {
  signer: CallerRow
  checked: CheckedPasskey
  key: CheckedKey
  origin: RequestOrigin
  now: Date
}

async function putInPlace(tx: Tx, auth: Auth, { signer, checked, key, origin, now }: Renewal) {
  const { userId, keyId: oldKeyId, generation } = signer
  // Before the passkey and the key: an account-wide revocation locks in this order.
  await lockAccount(tx, userId)
  const { secondFactor } = await notePasskey(tx, checked, now)
  const endedAfter = renewableAfter(auth, now)
  const old = await revokeRenewable(tx, { keyId: oldKeyId, userId, endedAfter, now })
  if (!old) throw new SessionRenewalRefusedError()
  await keysRevoked.emit({ userId, keyIds: [oldKeyId], reason: 'renewed' })
  const details = { successor: key.keyId }
  await recordAudit(tx, { act, actor: userId, target: oldKeyId, details, origin, at: now })
  const result = await completeSignIn(tx, auth, {
    userId,
    generation,
    key: keepLabel(key, old),
    origin,
    provider: 'passkey',
    channel: 'sessionRenewVerify',
    ...worthOf({ ...checked, secondFactor }),
    succeeds: renewedLife(auth.env, old, now),
    now,
  })
  await handOn(tx, auth, { userId, from: oldKeyId, to: key.keyId })
  return { ...result, keyId: key.keyId }
}

/**
 * The options for an authenticator, to renew a bound session. Only a caller who signs with its key
 * gets them: others learn nothing.
 */
export async function askToRenew(
  auth: Auth,
  { raw, expiredKeyId }: { raw: RawContext; expiredKeyId: string },
) {
  return oneRefusal(async () => {
    const { userId, keyId } = await findRenewing(auth, { raw, expiredKeyId })
    const options = await askForOwnPasskey(auth.db, auth, { kind: 'renew', userId, keyId })
    if (!options) throw new SessionRenewalRefusedError()
    return options
  })
}

interface Asked {
  raw: RawContext
  expiredKeyId: string
}

/**
 * Finds the bound key to renew by its signature, because `authenticate` no longer accepts it. Its
 * account is looked at once a passkey has signed too.
 */
function findRenewing(auth: Auth, { raw, expiredKeyId }: Asked): Promise<CallerRow> {
  const jwt = parseRequestJwt(raw.incoming.headersDistinct.authorization)
  if (jwt?.keyId !== expiredKeyId) throw new SessionRenewalRefusedError()
  const refuseEnded = (row: CallerRow, now: Date) => {
    if (!isRenewable(row, renewableAfter(auth, now))) throw new SessionRenewalRefusedError()
  }
  return findSigner(raw, { auth, signed: jwt, refuseEnded })
}

/**
 * Every fault of a request or a passkey gets the same refusal. Only a caller who proved both learns
 * that the account may not sign in.
 */
async function oneRefusal<Result>(run: () => Promise<Result>) {
  try {
    return await run()
  } catch (error) {
    if (error instanceof HttpError && error.status === 401) throw new SessionRenewalRefusedError()
    throw error
  }
}
