import type { Action } from '@svc/web/react'
import { Button } from '../ui/button.tsx'
import { Skeleton } from '../ui/skeleton.tsx'

/** Until the passkeys are known. */
export function LoadingPasskeys({ loading }: { loading: Action<[], unknown> }) {
  if (loading.error === null) return <Skeleton label="Loading your passkeys…" />
  return (
    <Button isBusy={loading.isRunning} onClick={() => void loading.run()}>
      Try again
    </Button>
  )
}
