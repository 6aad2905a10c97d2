import type { Tx } from '@svc/core'
import { lockAccount } from '../../accounts/accounts.ts'
import { readAccount } from '../../authenticate/authenticate.ts'
import { hashToken } from '../../crypto/crypto.ts'
import { inTransaction } from '../../in-transaction.ts'
import { authorizationServerOf } from '../authorization-server.ts'
import type { AgentService } from '../clients/clients.ts'
import type { TokenAnswer } from '../contract.ts'
import { invalidGrant } from './invalid-grant.ts'
import { askedOf, narrowed, stillGiven } from './scopes.ts'
import { type GrantRow, prolongGrant } from './store.ts'
import { openSuccessor, sealSuccessor } from './successors.ts'
import {
  checkKey,
  checkResource,
  endIfReplayed,
  isBoundDeviceLive,
  issueTokens,
  namesResource,
  refreshMillis,
  showsKey,
  type TokenRequest,
} from './token-request.ts'
import { type FoundToken, findToken, keepSuccessor, spendRefreshToken } from './token-store.ts'

/** Issues the next pair of tokens. This spends the refresh token, which is valid once. */
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
  const answer = await inTransaction(auth.db, (tx) => rotate(tx, auth, { given, asked, ...found }))
  if (!answer) return afterAnother(auth, request, given)
  // After the transaction, because the sweep can't see the row before that.
  auth.successors.kept()
  return answer
}

/** Another request was faster, or there is nothing to renew any more. */
async function afterAnother(auth: AgentService, request: TokenRequest, given: string) {
  const found = await findToken(auth.db, hashToken(given), 'refresh')
  if (!found?.token.spentAt) throw invalidGrant()
  return repeatRefresh(auth, request, { given, ...found })
}

interface Rotation extends FoundToken {
  given: string
  asked: string[]
}

async function rotate(tx: Tx, auth: AgentService, { given, asked, ...rotation }: Rotation) {
  const { grant, token } = rotation
  const { grantId, userId } = grant
  const account = await lockAccount(tx, userId)
  if (account?.generation !== grant.generation || account.status !== 'active') return null
  // After the lock: a request that waited for it must not use an earlier time than the one before
  // it.
  const now = auth.clock.now()
  const { tokenHash } = token
  const spent = await spendRefreshToken(tx, { tokenHash, grantId, now })
  if (!spent) return null
  await prolongGrant(tx, grantId, { now, expiresAt: new Date(now.getTime() + refreshMillis) })
  const scopes = stillGiven(authorizationServerOf(auth), asked)
  const answer = await issueTokens(tx, auth, { grant, scopes, now })
  const isKept = auth.env.SVC_AUTH_OAUTH2_REFRESH_REUSE_SECONDS > 0
  const successor = isKept ? sealSuccessor(given, grantId, { asked, answer }) : null
  await keepSuccessor(tx, { tokenHash, grantId, successor })
  return answer
}

interface Repeat extends FoundToken {
  given: string
}

/**
 * The refresh token was spent before. A host with several processes, and a client that has lost the
 * response, retry within seconds: they get the same response. Everything else is a replay.
 */
async function repeatRefresh(auth: AgentService, request: TokenRequest, spent: Repeat) {
  const answer = await sameAnswer(auth, request, spent)
  if (answer) return answer
  const { grant, token } = spent
  await endIfReplayed(auth, request, { grant, usedAt: token.spentAt, reason: 'refresh_replayed' })
  throw invalidGrant()
}

async function sameAnswer(
  auth: AgentService,
  request: TokenRequest,
  { given, grant, token }: Repeat,
) {
  const { successor, spentAt } = token
  const agoMillis = spentAt ? auth.clock.now().getTime() - spentAt.getTime() : Infinity
  // Once the successor itself was used, the response is deleted: the client has got it, so a spent
  // token that comes again is a copy.
  if (!successor || agoMillis >= auth.env.SVC_AUTH_OAUTH2_REFRESH_REUSE_SECONDS * 1000) return null
  if (request.client.clientId !== grant.clientId || !showsKey(request, grant)) return null
  if (!namesResource(auth, request, grant) || !(await stands(auth, grant))) return null
  const { asked, answer } = openSuccessor(given, grant.grantId, successor)
  if (!isSame(asked, askedOf(grant.scopes, request.form.scope))) return null
  return { ...answer, expires_in: Math.max(answer.expires_in - Math.ceil(agoMillis / 1000), 0) }
}

/**
 * Otherwise the client would get tokens that give access to nothing. A refusal makes it ask its
 * user again sooner.
 */
async function stands(auth: AgentService, grant: GrantRow) {
  if (grant.state !== 'active') return false
  const account = await readAccount(auth.db, grant.userId)
  if (account?.generation !== grant.generation || account.status !== 'active') return false
  return isBoundDeviceLive(auth, grant)
}

function isSame(some: string[], others: string[]) {
  return some.length === others.length && some.every((name) => others.includes(name))
}
