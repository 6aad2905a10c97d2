'use client'

import { useNow } from '../board/use-now.ts'
import { Button } from '../ui/button.tsx'
import { Outcome } from '../ui/outcome.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
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
  const now = useNow(renderedAt)
  const list = useLinkedAccounts(linked)
  const { accounts, loading } = list
  if (!accounts && loading.error === null) {
    return <Skeleton label="Loading your linked accounts…" />
  }
  if (!accounts) {
    return (
      <div className="grid gap-4 justify-items-start">
        <Outcome {...list.outcomeOfList} />
        <Button isBusy={loading.isRunning} onClick={() => void loading.run()}>
          Try again
        </Button>
      </div>
    )
  }
  const others = providers.filter((id) => !accounts.some(({ provider }) => provider === id))
  return (
    <div className="grid gap-5">
      <LinkedList {...list} {...{ accounts, now }} canLink={providers.length > 0} />
      {others.length > 0 && <LinkAnother {...list} providers={others} />}
    </div>
  )
}
