'use client'

import { ConnectedAgents } from '../agents/connected-agents.tsx'
import { useSay } from '../provider/account-provider.tsx'
import { AccountPage } from '../ui/account-page.tsx'
import type { PageSlots } from '../ui/page-slots.ts'

interface Props extends PageSlots {
  renderedAt: number
}

/** The agents that may act for the user. */
export function AgentsView({ renderedAt, ...slots }: Props) {
  const say = useSay()
  return (
    <AccountPage
      title={say('Connected agents')}
      about={say('Programs that you allowed to act for you. None of them has your password.')}
      {...slots}
    >
      <ConnectedAgents renderedAt={renderedAt} />
    </AccountPage>
  )
}
