import { requireSession } from '../../guards/guards.ts'
import { AgentsView } from '../agents/agents.tsx'
import { accountPaths } from '../provider/account-paths.ts'
import { type AccountPageProps, guarded } from './page-props.ts'

/** The agents that may act for the user. */
export async function AgentsPage(given: AccountPageProps) {
  const { guard, slots } = guarded(given, accountPaths.agents)
  await requireSession(guard)
  return <AgentsView {...slots} renderedAt={Date.now()} />
}
