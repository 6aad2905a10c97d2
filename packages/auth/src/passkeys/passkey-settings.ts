import type { Needs } from '../auth.ts'
import type { FreshCaller, RequestOrigin } from '../caller/caller.ts'
import { displayText } from '../display-text.ts'
import { lockFresh } from '../fresh-proof/fresh-proof.ts'
import { inTransaction } from '../in-transaction.ts'
import { lockCaller, type Signer } from '../keys/keys.ts'
import { longestLabel } from './contract.ts'
import { PasskeyNotFoundError } from './errors.ts'
import { passkeyItem, removePasskey } from './passkeys.ts'
import { setLabel } from './store.ts'

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

/**
 * Removes a passkey. Sessions that began with it go on, because devices are revoked by their keys.
 */
export async function revokePasskey(auth: RevokeNeeds, revocation: Revocation) {
  const { caller, passkeyId, origin } = revocation
  const { userId } = caller
  const now = auth.clock.now()
  await inTransaction(auth.db, async (tx) => {
    const account = await lockFresh(tx, caller)
    await removePasskey(tx, auth, { account, passkeyId, actor: userId, origin, now })
  })
  return { passkeyId }
}
