import { goneAccount, labelsOf, namesOfAccounts } from '../accounts/accounts.ts'
import type { Needs } from '../auth.ts'
import { type MachineRow, readMachinePage } from '../keys/keys.ts'
import { readAgentPage } from '../oauth2/oauth2.ts'
import type { MachineItem } from './contract.ts'

export type { ServiceAgent } from '../oauth2/oauth2.ts'
export { readServiceUses, type ServiceUse } from './service-uses.ts'

interface PageQuery {
  after?: string | undefined
  limit?: number | undefined
}

/** Also those of an authorization server that is off now: their grants come back with it. */
export async function listAgents(auth: Needs<'db' | 'clock'>, query: PageQuery) {
  const { items, ...next } = await readAgentPage(auth, query)
  const owners = await labelsOf(
    auth.db,
    items.flatMap(({ someGrants }) => someGrants.map(({ userId }) => userId)),
  )
  const agents = items.map(({ someGrants, ...agent }) => ({
    ...agent,
    someGrants: someGrants.map(({ userId, ...grant }) => ({
      ...grant,
      owner: owners.get(userId) ?? goneAccount(userId),
    })),
  }))
  return { agents, ...next }
}

export async function listMachines({ db, clock }: Needs<'db' | 'clock'>, query: PageQuery) {
  const now = clock.now()
  const { items, ...next } = await readMachinePage(db, query)
  const owners = await namesOfAccounts(
    db,
    items.map(({ userId }) => userId),
  )
  const machines = items.flatMap((row) => {
    const owner = owners.get(row.userId)
    return owner ? [machineItem(row, owner, now)] : []
  })
  return { machines, ...next }
}

interface Owner {
  userId: string
  publicId: string
  email: string | null
  phone: string | null
  username: string | null
}

function machineItem(row: MachineRow, owner: Owner, now: Date): MachineItem {
  const { keyId, deviceName, permissions, createdAt, lastUsedAt, expiresAt } = row
  const { userId, publicId, email, phone, username } = owner
  return {
    keyId,
    ...(deviceName !== null && { name: deviceName }),
    permissions: permissions ?? [],
    owner: {
      userId,
      publicId,
      ...(email !== null && { email }),
      ...(phone !== null && { phone }),
      ...(username !== null && { username }),
    },
    createdAt: createdAt.toISOString(),
    ...(lastUsedAt && { lastUsedAt: lastUsedAt.toISOString() }),
    expiresAt: expiresAt.toISOString(),
    isExpired: expiresAt <= now,
  }
}
