import { useSay } from '../provider/account-provider.tsx'
/** Between ways of which one is enough. */
export function Or() {
  const say = useSay()
  return (
    <p aria-hidden="true" className="svc-or">
      {say('or')}
    </p>
  )
}
