import type { Tx } from '@svc/core'
import { hashToken, newToken } from '../crypto/token.ts'
import type { TokenAnswer } from './contract.ts'
import { type GrantRow, insertTokens } from './store.ts'

const accessMillis = 3_600_000
export const refreshMillis = 30 * 86_400_000

interface Issue {
  grant: GrantRow
  /** Of the access token; the refresh token keeps all that was granted. */
  scopes: string[]
  now: Date
}

/** A pair of tokens: what is kept of them are hashes. */
export async function issueTokens(tx: Tx, { grant, scopes, now }: Issue): Promise<TokenAnswer> {
  const { grantId } = grant
  const after = (millis: number) => new Date(now.getTime() + millis)
  const [access, refresh] = [newToken(), newToken()]
  await insertTokens(tx, [
    {
      tokenHash: hashToken(access),
      grantId,
      kind: 'access',
      scopes,
      expiresAt: after(accessMillis),
    },
    {
      tokenHash: hashToken(refresh),
      grantId,
      kind: 'refresh',
      scopes: grant.scopes,
      expiresAt: after(refreshMillis),
    },
  ])
  return {
    access_token: access,
    token_type: grant.keyThumbprint === null ? 'Bearer' : 'DPoP',
    expires_in: accessMillis / 1000,
    refresh_token: refresh,
    scope: scopes.join(' '),
  }
}
