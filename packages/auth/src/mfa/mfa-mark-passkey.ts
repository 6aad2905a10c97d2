import type { Needs } from '../auth.ts'
import type { Caller } from '../authenticate/caller.ts'
import type { RequestOrigin } from '../authenticate/request-origin.ts'
import { PasskeyNotFoundError } from '../passkeys/errors.ts'
import { markPasskey } from '../passkeys/marked-passkeys.ts'
import { requireRecentAuthentication } from '../password/require-recent-authentication.ts'
import { lockSteppedUp } from './lock-stepped-up.ts'
import { mfaStatus } from './mfa-status.ts'
import { requireKeyring } from './require-keyring.ts'
import { settleFactors } from './settle-factors.ts'

interface Mark {
  caller: Caller
  passkeyId: string
  secondFactor: boolean
  currentPassword?: string | undefined
  origin: RequestOrigin
}

type MarkNeeds = Needs<
  'db' | 'clock' | 'env' | 'limits' | 'passwords' | 'keyring' | 'appUrl' | 'notifier' | 'log'
>

/** Makes a passkey a second factor, or no longer one. */
export async function mfaMarkPasskey(auth: MarkNeeds, marking: Mark) {
  const { caller, passkeyId, secondFactor, origin } = marking
  const { userId } = caller
  if (secondFactor) requireKeyring(auth)
  await auth.limits.take('second factor change by account', userId)
  // Of the first factor nothing was proved. A thief could choose a passkey that its owner has lost.
  if (secondFactor && !caller.secondFactorSince) {
    await requireRecentAuthentication(auth, { ...marking, refusal: { act: 'mfa.enrolled' } })
  }
  const now = auth.clock.now()
  return auth.db.transaction(async (tx) => {
    const account = await lockSteppedUp(tx, caller)
    const isChanged = await markPasskey(tx, { userId, passkeyId, secondFactor })
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
