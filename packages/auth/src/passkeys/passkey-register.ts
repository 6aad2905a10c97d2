import { randomUUID } from 'node:crypto'
import { ConflictError, type Tx } from '@svc/core'
import { accountName, readProfile } from '../accounts/accounts.ts'
import { recordAudit } from '../audit/audit.ts'
import type { Needs } from '../auth.ts'
import { refuseKeyless } from '../authenticate/authenticate.ts'
import type { FreshCaller, RequestOrigin } from '../caller/caller.ts'
import { displayText } from '../display-text.ts'
import { passkeyEnrolledEvent } from '../events.ts'
import { lockFresh } from '../fresh-proof/fresh-proof.ts'
import { inTransaction } from '../in-transaction.ts'
import { securityPage, sendNotice } from '../notices/notices.ts'
import type { RegistrationResponse } from '../webauthn/fields.ts'
import { authenticatorName, checkRegistration, registrationOptions } from '../webauthn/webauthn.ts'
import { newChallenge, takeChallenge } from './challenge.ts'
import { longestLabel } from './contract.ts'
import { PasskeyAlreadyRegisteredError, PasskeyVerificationError } from './errors.ts'
import { passkeyItem } from './passkeys.ts'
import { countPasskeys, insertPasskey, type PasskeyRow, passkeysOf } from './store.ts'

type AskNeeds = Needs<'db' | 'clock' | 'env' | 'limits' | 'relyingParty'>

/**
 * The options for an authenticator, to add a passkey to the account. Only the key that asked can
 * use the response.
 */
export async function passkeyRegisterOptions(auth: AskNeeds, caller: FreshCaller) {
  const { db, limits, relyingParty } = auth
  const { user, userId, keyId } = caller
  refuseKeyless({ keyId })
  await limits.take('passkey change by account', userId)
  const exclude = await passkeysOf(db, userId)
  refuseTooMany(exclude.length)
  const { profile } = (await readProfile(db, userId)) ?? {}
  const userName = accountName(user)
  const displayName = profile?.displayName ?? userName
  const challenge = await newChallenge(db, auth, { kind: 'register', userId, keyId })
  return registrationOptions(relyingParty, {
    ...challenge,
    userId,
    userName,
    displayName,
    exclude,
  })
}

interface Made {
  caller: FreshCaller
  response: RegistrationResponse
  label?: string | undefined
  origin: RequestOrigin
}

type TellNeeds = Needs<'env' | 'appUrl' | 'notifier' | 'log'>
type VerifyNeeds = TellNeeds & Needs<'db' | 'clock' | 'limits' | 'relyingParty'>

/**
 * Stores the passkey that an authenticator has made. The account's other ways in stay as they are
 * (A-235).
 */
export async function passkeyRegisterVerify(auth: VerifyNeeds, made: Made) {
  const { db, clock, limits } = auth
  const { caller, label, origin } = made
  const { userId } = caller
  refuseKeyless(caller)
  await limits.take('passkey change by account', userId)
  const credential = await checkMade(auth, made)
  const now = clock.now()
  return inTransaction(db, async (tx) => {
    const account = await lockFresh(tx, caller)
    refuseTooMany(await countPasskeys(tx, userId))
    const passkey = await insertPasskey(tx, account, {
      ...credential,
      passkeyId: randomUUID(),
      label: displayText(label, longestLabel) ?? authenticatorName(credential.aaguid) ?? null,
      createdAt: now,
    })
    // Another account's is refused in the same words, so that a caller can't learn that it exists.
    if (!passkey) throw new PasskeyAlreadyRegisteredError()
    await tellOfPasskey(tx, auth, { passkey, origin, now })
    return passkeyItem(passkey)
  })
}

async function checkMade(auth: VerifyNeeds, { caller, response }: Made) {
  const { userId, keyId } = caller
  const owner = { kind: 'register' as const, userId, keyId }
  const challenge = await takeChallenge(auth.db, auth, { ...owner, response })
  const checked = await checkRegistration(auth.relyingParty, { response, challenge })
  if (!checked) throw new PasskeyVerificationError()
  const { isUserVerified: _, ...credential } = checked
  return credential
}

async function tellOfPasskey(
  tx: Tx,
  auth: TellNeeds,
  { passkey, origin, now }: { passkey: PasskeyRow; origin: RequestOrigin; now: Date },
) {
  const { userId, passkeyId, label } = passkey
  const entry = { actor: userId, target: passkeyId, origin, at: now }
  await recordAudit(tx, { act: 'passkey.enrolled', ...entry })
  await passkeyEnrolledEvent.emit({ userId, passkeyId })
  const facts = { label: label ?? undefined, at: now.toISOString(), url: securityPage(auth) }
  await sendNotice(tx, auth, { userId, template: 'passkey-added', facts })
}

// One for each device of a user with many, and few enough for the list that every authenticator
// gets.
const mostPasskeys = 50

function refuseTooMany(count: number) {
  if (count < mostPasskeys) return
  const message = `An account can have at most ${mostPasskeys} passkeys. Remove one first.`
  throw new ConflictError({ message })
}
