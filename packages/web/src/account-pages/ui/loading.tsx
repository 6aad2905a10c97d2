import type { Action } from '../../account/account.ts'
import { useSay } from '../provider/account-provider.tsx'
import { Button } from './button.tsx'
import { Outcome } from './outcome.tsx'
import { Skeleton } from './page.tsx'

interface Props {
  loading: Action<[], unknown>
  label: string
  /** Why it did not load. */
  problem: string
}

/** Shown until what a page is about is known: a placeholder, or what went wrong and a button. */
export function Loading({ loading, label, problem }: Props) {
  const say = useSay()
  if (loading.error === null) return <Skeleton label={label} />
  return (
    <div className="svc-stack svc-start">
      <Outcome problem={problem} />
      <Button isBusy={loading.isRunning} onClick={() => void loading.run()}>
        {say('Try again')}
      </Button>
    </div>
  )
}
