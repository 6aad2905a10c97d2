import type { Needs } from '../auth.ts'
import type { FreshCaller } from '../caller/caller.ts'
import type { RequestOrigin } from '../caller/request-origin.ts'
import { settleFactors } from '../factors/settle-factors.ts'
import { lockFresh } from '../fresh-proof/lock-stepped-up.ts'
import { PasskeyNotFoundError } from '../passkeys/errors.ts'
import { markPasskey } from '../passkeys/marked-passkeys.ts'
import { mfaStatus } from './mfa-status.ts'
import { requireKeyring } from './require-keyring.ts'

interface Mark {
  caller: FreshCaller
  passkeyId: string
  secondFactor: boolean
  origin: RequestOrigin
}

type MarkNeeds = Needs<
  'db' | 'clock' | 'env' | 'limits' | 'keyring' | 'appUrl' | 'notifier' | 'log' | 'parts'
>

/** Makes a passkey a second factor, or no longer one. */
export async function mfaMarkPasskey(auth: MarkNeeds, marking: Mark) {
  const { caller, passkeyId, secondFactor, origin } = marking
  const { userId } = caller
  if (secondFactor) requireKeyring(auth)
  await auth.limits.take('second factor change by account', userId)
  const now = auth.clock.now()
  return auth.db.transaction(async (tx) => {
    const account = await lockFresh(tx, caller)
    const isChanged = await markPasskey(tx, account, { passkeyId, secondFactor })
    if (isChanged === null) throw new PasskeyNotFoundError()
    if (isChanged) {
      const change = secondFactor
        ? { added: 'passkey' as const }
        : { removed: ['passkey' as const] }
      await settleFactors(tx, auth, { account, ...change, actor: userId, origin, now })
    }
    return mfaStatus(tx, userId)
  })
}
