import type { Tx } from '@svc/core'
import { lockAccount } from '../accounts/lock-account.ts'
import { authorizationServerOf } from '../authorization-server/configured.ts'
import { hashToken } from '../crypto/token.ts'
import type { AgentService } from '../oauth2-clients/agent-needs.ts'
import { isBoundDeviceLive } from './bound-device.ts'
import type { TokenAnswer } from './contract.ts'
import { checkKey, checkResource } from './fits-grant.ts'
import { invalidGrant } from './invalid-grant.ts'
import { issueTokens, refreshMillis } from './issue-tokens.ts'
import { repeatRefresh } from './repeat-refresh.ts'
import { narrowed, stillGiven } from './scopes.ts'
import {
  type FoundToken,
  findToken,
  keepSuccessor,
  prolongGrant,
  spendRefreshToken,
} from './store.ts'
import { sealSuccessor } from './successor.ts'
import type { TokenRequest } from './token-request.ts'

/** The next pair of tokens. The refresh token is spent by it: it is good once. */
export async function refresh(auth: AgentService, request: TokenRequest): Promise<TokenAnswer> {
  const { client, form } = request
  const given = form.refresh_token
  if (given === undefined) throw invalidGrant()
  const found = await findToken(auth.db, hashToken(given), 'refresh')
  if (found?.token.spentAt) return repeatRefresh(auth, request, { given, ...found })
  if (found?.grant.clientId !== client.clientId) throw invalidGrant()
  checkKey(request, found.grant)
  checkResource(auth, request, found.grant)
  const asked = narrowed(found.grant.scopes, form.scope)
  if (!(await isBoundDeviceLive(auth, found.grant))) throw invalidGrant()
  const rotation = { given, asked, ...found }
  const answer = await auth.db.transaction((tx) => rotate(tx, auth, rotation))
  if (!answer) return afterAnother(auth, request, given)
  // After the transaction: the sweep sees no row before that.
  auth.successors.kept()
  return answer
}

/** Another request has come first, or there is nothing to renew any more. */
async function afterAnother(auth: AgentService, request: TokenRequest, given: string) {
  const found = await findToken(auth.db, hashToken(given), 'refresh')
  if (!found?.token.spentAt) throw invalidGrant()
  return repeatRefresh(auth, request, { given, ...found })
}

interface Rotation extends FoundToken {
  given: string
  asked: string[]
}

async function rotate(tx: Tx, auth: AgentService, { given, asked, grant, token }: Rotation) {
  const { grantId, userId } = grant
  const account = await lockAccount(tx, userId)
  if (account?.generation !== grant.generation || account.status !== 'active') return null
  // After the lock: whoever has waited for it comes no earlier than the one it waited for.
  const now = auth.clock.now()
  const { tokenHash } = token
  const spent = await spendRefreshToken(tx, { tokenHash, grantId, now })
  if (!spent) return null
  await prolongGrant(tx, grantId, { now, expiresAt: new Date(now.getTime() + refreshMillis) })
  const scopes = stillGiven(authorizationServerOf(auth), asked)
  const answer = await issueTokens(tx, { grant, scopes, now })
  const isKept = auth.env.SVC_AUTH_OAUTH2_REFRESH_REUSE_SECONDS > 0
  const successor = isKept ? sealSuccessor(given, grantId, { asked, answer }) : null
  await keepSuccessor(tx, { tokenHash, grantId, successor })
  return answer
}
