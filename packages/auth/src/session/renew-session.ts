import type { RawContext, Tx } from '@svc/core'
import { lockAccount } from '../accounts/lock-account.ts'
import { auditRefusal } from '../audit/audit-refusal.ts'
import { recordAudit } from '../audit/record-audit.ts'
import type { Auth } from '../auth.ts'
import type { CallerRow } from '../caller/caller-row.ts'
import { type RequestOrigin, requestOrigin } from '../caller/request-origin.ts'
import type { NewDeviceKey } from '../capability/key-fields.ts'
import type { CheckedKey } from '../capability/ways.ts'
import { checkNewKey } from '../keys/check-new-key.ts'
import { handOn } from '../keys/hand-on.ts'
import { keepLabel } from '../keys/keep-label.ts'
import { renewedLife } from '../keys/key-life.ts'
import { renewableAfter, revokeRenewable } from '../keys/renewable.ts'
import { type CheckedPasskey, checkPasskey, notePasskey } from '../passkeys/check-passkey.ts'
import { worthOf } from '../passkeys/worth-of.ts'
import { completeSignIn } from '../sign-in/complete-sign-in.ts'
import { keysRevoked } from '../streams/revocations.ts'
import type { AuthenticationResponse } from '../webauthn/response-schemas.ts'
import { SessionRenewalRefusedError } from './errors.ts'
import { findRenewing } from './find-renewing.ts'
import { oneRefusal } from './one-refusal.ts'

interface RenewBody extends NewDeviceKey {
  expiredKeyId: string
  response: AuthenticationResponse
}

const act = 'session.renewed'

/** Puts a new bound key in the place of one that has run out: its signature and a passkey of the account stand for it. */
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
      return auth.db.transaction((tx) => putInPlace(tx, auth, renewal))
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
  // Before the passkey and the key: an account-wide revocation takes them in this order.
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
