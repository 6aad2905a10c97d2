import type { Db } from '@svc/core'
import { machinesOfServices } from '../keys/keys.ts'
import { agentsOfServices, type ServiceAgent } from '../oauth2/oauth2.ts'

/** What uses an account of programs. */
export interface ServiceUse {
  /** How many keys of machines it has that are not revoked. */
  readonly keys: number
  readonly agent?: ServiceAgent
  /** The last use of either. */
  readonly lastUsedAt: Date | null
}

/** By the ids of accounts of programs. The caller decides who may read it. */
export async function readServiceUses(
  db: Db,
  userIds: readonly string[],
): Promise<ReadonlyMap<string, ServiceUse>> {
  if (userIds.length === 0) return new Map()
  const [machines, agents] = await Promise.all([
    machinesOfServices(db, userIds),
    agentsOfServices(db, userIds),
  ])
  return new Map(userIds.map((userId) => [userId, useOf(machines.get(userId), agents.get(userId))]))
}

function useOf(
  machines: { keys: number; lastUsedAt: Date | null } | undefined,
  agent: ServiceAgent | undefined,
): ServiceUse {
  const uses = [machines?.lastUsedAt, agent?.lastUsedAt].filter((at) => at instanceof Date)
  return {
    keys: machines?.keys ?? 0,
    ...(agent && { agent }),
    lastUsedAt: uses.toSorted((a, b) => b.getTime() - a.getTime())[0] ?? null,
  }
}
