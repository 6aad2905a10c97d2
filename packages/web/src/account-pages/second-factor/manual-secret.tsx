import { useSay } from '../provider/account-provider.tsx'
import { Button } from '../ui/button.tsx'
import { Outcome } from '../ui/outcome.tsx'
import { useCopy } from '../ui/use-copy.ts'
import { inGroups } from './typed-codes.ts'

interface Props {
  secret: string
  /** What an app on this device opens. */
  otpauthUri: string
}

/** For an app that is on this device, or has no camera. */
export function ManualSecret({ secret, otpauthUri }: Props) {
  const say = useSay()
  const { copy, ...copied } = useCopy()
  return (
    <div className="svc-stack svc-stack-3 svc-start svc-small svc-shrink">
      <a href={otpauthUri} className="svc-link">
        {say('Open in your authenticator app')}
      </a>
      <p>{say('Or type this key into the app:')}</p>
      <code className="svc-secret">{inGroups(secret)}</code>
      <Button onClick={() => void copy(secret)}>{say('Copy the key')}</Button>
      <Outcome {...copied} />
    </div>
  )
}
