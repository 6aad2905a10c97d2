'use client'

import { useSay } from '../provider/account-provider.tsx'
import { Button } from '../ui/button.tsx'
import { Outcome } from '../ui/outcome.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { useNow } from '../ui/use-now.ts'
import { LinkAnother } from './link-another.tsx'
import { LinkedList } from './linked-list.tsx'
import { useLinkedAccounts } from './use-linked-accounts.ts'

interface Props {
  /** The ids of those that can be linked. */
  providers: readonly string[]
  /** Which one the browser has just come back from; it may be anybody’s text. */
  linked: string
  renderedAt: number
}

/** The accounts elsewhere that sign in to an account, and what can be done about them. */
export function LinkedAccounts({ providers, linked, renderedAt }: Props) {
  const say = useSay()
  const now = useNow(renderedAt)
  const list = useLinkedAccounts(linked)
  const { accounts, loading } = list
  if (!accounts && loading.error === null) {
    return <Skeleton label={say('Loading your linked accounts…')} />
  }
  if (!accounts) {
    return (
      <div className="svc-stack svc-start">
        <Outcome {...list.outcomeOfList} />
        <Button isBusy={loading.isRunning} onClick={() => void loading.run()}>
          {say('Try again')}
        </Button>
      </div>
    )
  }
  const others = providers.filter((id) => !accounts.some(({ provider }) => provider === id))
  return (
    <div className="svc-stack svc-stack-5">
      <LinkedList {...list} {...{ accounts, now }} canLink={providers.length > 0} />
      {others.length > 0 && <LinkAnother {...list} providers={others} />}
    </div>
  )
}
