import type { Db } from '@svc/core'
import type { Needs } from '../auth.ts'
import type { FreshCaller, RequestOrigin } from '../caller/caller.ts'
import { displayText } from '../display-text.ts'
import { lockFresh } from '../fresh-proof/fresh-proof.ts'
import { inTransaction } from '../in-transaction.ts'
import { lockCaller, type Signer } from '../keys/keys.ts'
import { securityPage, sendNotice } from '../notices/notices.ts'
import { waysIn } from '../sign-in/sign-in.ts'
import { longestLabel, type PasskeyItem } from './contract.ts'
import { LastRecoveryCredentialError, PasskeyNotFoundError } from './errors.ts'
import { canSign, passkeysGone } from './passkeys.ts'
import { deletePasskey, type PasskeyRow, passkeysOf, setLabel } from './store.ts'

export async function listPasskeys(db: Db, userId: string) {
  const passkeys = await passkeysOf(db, userId)
  return { passkeys: passkeys.map(passkeyItem) }
}

/** What its owner is shown of a passkey: nothing that an authenticator is found or checked by. */
export function passkeyItem(passkey: PasskeyRow): PasskeyItem {
  return {
    passkeyId: passkey.passkeyId,
    ...(passkey.label && { label: passkey.label }),
    deviceType: passkey.deviceType,
    backedUp: passkey.backedUp,
    transports: passkey.transports,
    secondFactor: passkey.secondFactor,
    createdAtMillis: passkey.createdAt.getTime(),
    ...(passkey.lastUsedAt && { lastUsedAtMillis: passkey.lastUsedAt.getTime() }),
  }
}

interface Renaming {
  caller: Signer
  passkeyId: string
  label: string
}

export async function renamePasskey({ db }: Needs<'db'>, { caller, passkeyId, label }: Renaming) {
  const { userId } = caller
  return inTransaction(db, async (tx) => {
    await lockCaller(tx, caller)
    const renamed = await setLabel(tx, {
      userId,
      passkeyId,
      label: displayText(label, longestLabel),
    })
    if (!renamed) throw new PasskeyNotFoundError()
    return passkeyItem(renamed)
  })
}

interface Revocation {
  caller: FreshCaller
  passkeyId: string
  origin: RequestOrigin
}

type RevokeNeeds = Needs<'db' | 'clock' | 'env' | 'parts' | 'appUrl' | 'notifier' | 'log'>

/** Takes a passkey away. Whoever has signed in with it before stays signed in: devices are revoked by their keys. */
export async function revokePasskey(auth: RevokeNeeds, revocation: Revocation) {
  const { caller, passkeyId, origin } = revocation
  const { userId } = caller
  const now = auth.clock.now()
  await inTransaction(auth.db, async (tx) => {
    const account = await lockFresh(tx, caller)
    const passkey = await deletePasskey(tx, { userId, passkeyId })
    if (!passkey) throw new PasskeyNotFoundError()
    // Counted without it, under the account's lock: of the last two, one stays.
    if (canSign(passkey) && (await waysIn(tx, auth, account)) === 0)
      throw new LastRecoveryCredentialError()
    await passkeysGone(tx, auth, { account, gone: [passkey], actor: userId, origin, now })
    const { label } = passkey
    const facts = { label: label ?? undefined, at: now.toISOString(), url: securityPage(auth) }
    await sendNotice(tx, auth, { userId, template: 'passkey-removed', facts })
  })
  return { passkeyId }
}
