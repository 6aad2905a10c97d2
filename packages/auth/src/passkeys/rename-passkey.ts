import type { Needs } from '../auth.ts'
import { displayText } from '../display-text.ts'
import { lockCaller, type Signer } from '../keys/lock-caller.ts'
import { longestLabel } from './contract.ts'
import { PasskeyNotFoundError } from './errors.ts'
import { passkeyItem } from './passkey-item.ts'
import { setLabel } from './store.ts'

interface Renaming {
  caller: Signer
  passkeyId: string
  label: string
}

export async function renamePasskey({ db }: Needs<'db'>, { caller, passkeyId, label }: Renaming) {
  const { userId } = caller
  return db.transaction(async (tx) => {
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
