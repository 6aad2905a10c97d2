import type { StreamTokens } from '@svc/core'
import { runningAuth } from '../auth.ts'
import { hashToken } from '../crypto/token.ts'
import { issueOneTimeToken } from './issue-one-time-token.ts'
import { spendToken } from './store.ts'

/**
 * The tokens of `issueOneTimeToken` as those of streams: `auth: { enabled: true, tokenManager: oneTimeTokens }`. They
 * are in the database, so that every instance knows them. A token is an account's and its key's, and nobody else's:
 * with a `getSubject` that answers other names, streams need tokens of their own.
 */
export function oneTimeTokens(): StreamTokens {
  const auth = runningAuth()
  return {
    async issue({ subject, owner = subject, credential = '' }) {
      if (owner !== subject) {
        throw new Error('oneTimeTokens are for accounts: leave getSubject out, or tokenManager.')
      }
      const { token } = await issueOneTimeToken(auth, { userId: subject, keyId: credential })
      return { token }
    },
    async consume(token) {
      const spent = await spendToken(auth.db, hashToken(token), auth.clock.now())
      return spent && { subject: spent.userId, credential: spent.keyId }
    },
  }
}
