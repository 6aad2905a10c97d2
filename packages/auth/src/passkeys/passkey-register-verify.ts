import { randomUUID } from 'node:crypto'
import type { Tx } from '@svc/core'
import { recordAudit } from '../audit/record-audit.ts'
import type { Needs } from '../auth.ts'
import { refuseKeyless } from '../authenticate/refuse-keyless.ts'
import type { FreshCaller } from '../caller/caller.ts'
import type { RequestOrigin } from '../caller/request-origin.ts'
import { displayText } from '../display-text.ts'
import { passkeyEnrolledEvent } from '../events.ts'
import { lockFresh } from '../fresh-proof/lock-stepped-up.ts'
import { securityPage } from '../notices/security-page.ts'
import { sendNotice } from '../notices/send-notice.ts'
import { authenticatorName } from '../webauthn/authenticators.ts'
import { checkRegistration } from '../webauthn/registration.ts'
import type { RegistrationResponse } from '../webauthn/response-schemas.ts'
import { takeChallenge } from './challenge.ts'
import { longestLabel } from './contract.ts'
import { PasskeyAlreadyRegisteredError, PasskeyVerificationError } from './errors.ts'
import { passkeyItem } from './passkey-item.ts'
import { refuseTooMany } from './refuse-too-many.ts'
import { countPasskeys, insertPasskey, type PasskeyRow } from './store.ts'

interface Made {
  caller: FreshCaller
  response: RegistrationResponse
  label?: string | undefined
  origin: RequestOrigin
}

type TellNeeds = Needs<'env' | 'appUrl' | 'notifier' | 'log'>
type VerifyNeeds = TellNeeds & Needs<'db' | 'clock' | 'limits' | 'relyingParty'>

/** Keeps the passkey that an authenticator has made. The account's other ways in stay as they are. */
export async function passkeyRegisterVerify(auth: VerifyNeeds, made: Made) {
  const { db, clock, limits } = auth
  const { caller, label, origin } = made
  const { userId } = caller
  refuseKeyless(caller)
  await limits.take('passkey change by account', userId)
  const credential = await checkMade(auth, made)
  const now = clock.now()
  return db.transaction(async (tx) => {
    const account = await lockFresh(tx, caller)
    refuseTooMany(await countPasskeys(tx, userId))
    const passkey = await insertPasskey(tx, account, {
      ...credential,
      passkeyId: randomUUID(),
      label: displayText(label, longestLabel) ?? authenticatorName(credential.aaguid) ?? null,
      createdAt: now,
    })
    // Another account's is refused in the same words: nobody learns whose it is.
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
