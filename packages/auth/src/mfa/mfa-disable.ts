import type { Needs } from '../auth.ts'
import type { Caller } from '../caller/caller.ts'
import type { RequestOrigin } from '../caller/request-origin.ts'
import { lockSteppedUp } from '../fresh-proof/lock-stepped-up.ts'
import { removeFactors } from './remove-factors.ts'

type DisableNeeds = Needs<
  'db' | 'clock' | 'env' | 'limits' | 'appUrl' | 'notifier' | 'log' | 'parts'
>

export async function mfaDisable(
  auth: DisableNeeds,
  { caller, origin }: { caller: Caller; origin: RequestOrigin },
) {
  const { userId: actor } = caller
  await auth.limits.take('second factor change by account', actor)
  const now = auth.clock.now()
  await auth.db.transaction(async (tx) => {
    const account = await lockSteppedUp(tx, caller)
    await removeFactors(tx, auth, { account, actor, origin, now })
  })
}
