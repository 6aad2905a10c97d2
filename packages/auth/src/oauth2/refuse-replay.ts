import type { AgentService } from '../oauth2-clients/agent-needs.ts'
import { endGrant, type GrantEnd } from './end-grant.ts'
import type { GrantRow } from './store.ts'
import type { TokenRequest } from './token-request.ts'

interface Replay {
  grant: GrantRow
  /** When it was used first; null when that is happening now. */
  usedAt: Date | null
  reason: GrantEnd
}

/**
 * A code or a refresh token was used before. Whoever comes after the first has been answered has a copy, and nobody
 * can say which of the two is the thief: everything of the grant ends (RFC 9700, section 4.14.2). A client that has sent
 * the same request twice at once has no copy: it gets one pair of tokens, and keeps it.
 */
export async function endIfReplayed(
  auth: AgentService,
  { arrivedAt, origin }: Pick<TokenRequest, 'arrivedAt' | 'origin'>,
  { grant, usedAt, reason }: Replay,
) {
  if (!usedAt || arrivedAt <= usedAt) return
  await endGrant(auth, { grant, reason, actor: null, origin })
}
