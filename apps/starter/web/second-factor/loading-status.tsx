import type { Action } from '@svc/web/react'
import { Button } from '../ui/button.tsx'
import { Skeleton } from '../ui/skeleton.tsx'

/** Until it is known whether there is a second step. */
export function LoadingStatus({ loading }: { loading: Action<[], unknown> }) {
  if (loading.error === null) return <Skeleton label="Loading your second step…" />
  return (
    <Button isBusy={loading.isRunning} onClick={() => void loading.run()}>
      Try again
    </Button>
  )
}
