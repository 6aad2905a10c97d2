import type { Action } from '../../account/use-action.ts'
import { useSay } from '../provider/account-provider.tsx'
import { Button } from '../ui/button.tsx'
import { Skeleton } from '../ui/skeleton.tsx'

/** Until it is known whether there is a second step. */
export function LoadingStatus({ loading }: { loading: Action<[], unknown> }) {
  const say = useSay()
  if (loading.error === null) return <Skeleton label={say('Loading your second step…')} />
  return (
    <Button isBusy={loading.isRunning} onClick={() => void loading.run()}>
      {say('Try again')}
    </Button>
  )
}
