import { readAccount } from '../authenticate/read-account.ts'
import type { AgentService } from '../oauth2-clients/agent-needs.ts'
import { isBoundDeviceLive } from './bound-device.ts'
import { namesResource, showsKey } from './fits-grant.ts'
import { invalidGrant } from './invalid-grant.ts'
import { endIfReplayed } from './refuse-replay.ts'
import { askedOf } from './scopes.ts'
import type { FoundToken, GrantRow } from './store.ts'
import { openSuccessor } from './successor.ts'
import type { TokenRequest } from './token-request.ts'

interface Repeat extends FoundToken {
  given: string
}

/**
 * The refresh token was spent before. A host with several processes, and a client that has lost the answer, send the
 * same request again within seconds: they get the same answer. All else is a replay.
 */
export async function repeatRefresh(auth: AgentService, request: TokenRequest, spent: Repeat) {
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
  // It is gone, too, once the successor was used itself: its client has got it, and only a copy comes with this one.
  if (!successor || agoMillis >= auth.env.SVC_AUTH_OAUTH2_REFRESH_REUSE_SECONDS * 1000) return null
  if (request.client.clientId !== grant.clientId || !showsKey(request, grant)) return null
  if (!namesResource(auth, request, grant) || !(await stands(auth, grant))) return null
  const { asked, answer } = openSuccessor(given, grant.grantId, successor)
  if (!isSame(asked, askedOf(grant.scopes, request.form.scope))) return null
  return { ...answer, expires_in: answer.expires_in - Math.ceil(agoMillis / 1000) }
}

/** Its tokens would open nothing otherwise, but their client asks its user again sooner. */
async function stands(auth: AgentService, grant: GrantRow) {
  if (grant.state !== 'active') return false
  const account = await readAccount(auth.db, grant.userId)
  if (account?.generation !== grant.generation || account.status !== 'active') return false
  return isBoundDeviceLive(auth, grant)
}

function isSame(some: string[], others: string[]) {
  return some.length === others.length && some.every((name) => others.includes(name))
}
