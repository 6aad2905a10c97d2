import { lockUser } from '../accounts/lock-user.ts'
import { runningAuth } from '../auth.ts'
import { removeFactors } from './remove-factors.ts'

interface RemovedBy {
  /** The user who has it done, such as somebody of support: the trail names them. */
  by?: string
}

/** For a user who has lost every second factor and recovery code, once support knows that it is them. */
export async function removeSecondFactor(userId: string, { by }: RemovedBy = {}): Promise<void> {
  const auth = runningAuth()
  const now = auth.clock.now()
  await auth.db.transaction(async (tx) => {
    const account = await lockUser(tx, userId)
    await removeFactors(tx, auth, { account, ...(by !== undefined && { actor: by }), now })
  })
}
