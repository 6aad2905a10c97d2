'use client'

import { useSay } from '../provider/account-provider.tsx'
import { Button } from '../ui/button.tsx'
import { Outcome } from '../ui/outcome.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { useNow } from '../ui/use-now.ts'
import { AgentList } from './agent-list.tsx'
import { useAgentList } from './use-agent-list.ts'

/** The agents that an account has let in, and what can be done about them. */
export function ConnectedAgents({ renderedAt }: { renderedAt: number }) {
  const say = useSay()
  const now = useNow(renderedAt)
  const list = useAgentList()
  const { grants, loading } = list
  if (grants) return <AgentList {...list} {...{ grants, now }} />
  if (loading.error === null) return <Skeleton label={say('Loading your connected agents…')} />
  return (
    <div className="svc-stack svc-start">
      <Outcome {...list.outcomeOfList} />
      <Button isBusy={loading.isRunning} onClick={() => void loading.run()}>
        {say('Try again')}
      </Button>
    </div>
  )
}
