import type { Action } from '../../account/use-action.ts'
import { useSay } from '../provider/account-provider.tsx'
import { Button } from '../ui/button.tsx'
import { Skeleton } from '../ui/skeleton.tsx'

/** Until the passkeys are known. */
export function LoadingPasskeys({ loading }: { loading: Action<[], unknown> }) {
  const say = useSay()
  if (loading.error === null) return <Skeleton label={say('Loading your passkeys…')} />
  return (
    <Button isBusy={loading.isRunning} onClick={() => void loading.run()}>
      {say('Try again')}
    </Button>
  )
}
