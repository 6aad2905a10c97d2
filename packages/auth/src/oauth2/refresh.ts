import type { Tx } from '@svc/core'
import { lockAccount } from '../accounts/lock-account.ts'
import type { Auth } from '../auth.ts'
import { hashToken } from '../crypto/token.ts'
import { isBoundDeviceLive } from './bound-device.ts'
import { authorizationServerOf } from './configured.ts'
import { OAuth2Error } from './errors.ts'
import { invalidGrant } from './invalid-grant.ts'
import { issueTokens, refreshMillis } from './issue-tokens.ts'
import { checkResource } from './redeem-code.ts'
import { endIfReplayed } from './refuse-replay.ts'
import { narrowed, stillGiven } from './scopes.ts'
import {
  findToken,
  type GrantRow,
  prolongGrant,
  spendRefreshToken,
  type TokenRow,
} from './store.ts'
import type { TokenRequest } from './token-request.ts'

/** The next pair of tokens. The refresh token is spent by it: it is good once. */
export async function refresh(auth: Auth, request: TokenRequest) {
  const { client, form, raw } = request
  const given = form.refresh_token
  const found = given === undefined ? null : await findToken(auth.db, hashToken(given), 'refresh')
  if (found?.grant.clientId !== client.clientId) throw invalidGrant()
  const { grant, token } = found
  if (token.spentAt) {
    await endIfReplayed(auth, request, { grant, usedAt: token.spentAt, reason: 'refresh_replayed' })
    throw invalidGrant()
  }
  checkKey(grant, request)
  checkResource(auth, { grant, given: form.resource, ownOrigins: raw.server.ownOrigins })
  const scopes = stillGiven(authorizationServerOf(auth), narrowed(grant.scopes, form.scope))
  if (!(await isBoundDeviceLive(auth, grant))) throw invalidGrant()
  const answer = await auth.db.transaction((tx) => rotate(tx, auth, { grant, token, scopes }))
  if (!answer) throw invalidGrant()
  return answer
}

/** Bound tokens are renewed with their key alone, and others are not bound by a renewal (RFC 9449, section 5). */
function checkKey({ keyThumbprint }: GrantRow, { key }: TokenRequest) {
  if ((key?.thumbprint ?? null) !== keyThumbprint) {
    throw new OAuth2Error({ error: 'invalid_dpop_proof' })
  }
}

interface Rotation {
  grant: GrantRow
  token: TokenRow
  scopes: string[]
}

async function rotate(tx: Tx, auth: Auth, { grant, token, scopes }: Rotation) {
  const { grantId, userId } = grant
  const account = await lockAccount(tx, userId)
  if (account?.generation !== grant.generation || account.status !== 'active') return null
  // After the lock: whoever has waited for it comes no earlier than the one it waited for.
  const now = auth.clock.now()
  const spent = await spendRefreshToken(tx, { tokenHash: token.tokenHash, grantId, now })
  if (!spent) return null
  await prolongGrant(tx, grantId, { now, expiresAt: new Date(now.getTime() + refreshMillis) })
  return issueTokens(tx, { grant, scopes, now })
}
