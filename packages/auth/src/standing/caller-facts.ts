import { runningAuth } from '../auth.ts'
import { readAccount } from '../authenticate/authenticate.ts'
import { type CallerFacts, factsFrom } from '../caller/caller.ts'
import { findSignIn } from '../keys/keys.ts'

/**
 * What is known now of an account, and of one of its keys if it is given: for code that is told them and no request, as
 * the rules of streams are. Null if there is no such account, or if the key is not the account’s.
 */
export async function getCallerFacts(userId: string, keyId?: string): Promise<CallerFacts | null> {
  const { db, clock } = runningAuth()
  const account = await readAccount(db, userId)
  const key = keyId === undefined ? null : await findSignIn(db, keyId)
  const isOwn = keyId === undefined || key?.userId === userId
  return account && isOwn ? factsFrom({ ...account, key }, clock.now()) : null
}
