import { doneBy, type Infrastructure, mayUseTool, NotFoundError, toolsServed } from '@svc/core'
import { listAgentActs } from '../../audit/audit.ts'
import type { Caller } from '../../caller/caller.ts'
import { authorizationServerOf } from '../authorization-server.ts'
import type { AgentService } from '../clients/clients.ts'
import type { GrantDescription } from '../contract.ts'
import { stillGiven } from './scopes.ts'
import { findStanding, type GrantRow } from './store.ts'

interface Asked {
  caller: Caller
  grantId: string
  server: Infrastructure
}

/** What a grant lets its agent do now, how much of its budget is used up, and what it did lately. */
export async function describeGrant(
  auth: AgentService,
  { caller, grantId, server }: Asked,
): Promise<GrantDescription> {
  const { db, clock, budgets } = auth
  const { userId, generation, permissions: held } = caller
  const grant = await findStanding(db, { grantId, userId, generation, now: clock.now() })
  if (!grant) throw new NotFoundError({ resource: 'grant' })
  const scopes = stillGiven(authorizationServerOf(auth), grant.scopes)
  const permissions = held.filter((name) => scopes.includes(name))
  const [budget, acts] = await Promise.all([
    budgets.usesOf(grant),
    listAgentActs(db, { userId, grantId }),
  ])
  return { grantId, permissions, tools: toolsAt(server, grant, permissions), budget, acts }
}

/** The tools of the resource that the grant is for. */
function toolsAt(server: Infrastructure, { resource }: GrantRow, permissions: readonly string[]) {
  const there = toolsServed(server).filter(({ path }) => path === resource)
  return there.flatMap(({ tools }) =>
    tools.map((tool) => ({
      name: tool.name,
      title: tool.title,
      does: doneBy(tool),
      needs: [...tool.permissions],
      isAllowed: mayUseTool(tool, permissions),
    })),
  )
}
