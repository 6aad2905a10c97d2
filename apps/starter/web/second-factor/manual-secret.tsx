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
  const { copy, ...copied } = useCopy()
  return (
    <div className="grid min-w-0 justify-items-start gap-3 text-sm">
      <a href={otpauthUri} className="text-accent underline underline-offset-4 hover:text-ink">
        Open in your authenticator app
      </a>
      <p>Or type this key into the app:</p>
      <code className="rounded-lg border border-line bg-paper px-3 py-2 text-base break-words [overflow-wrap:anywhere]">
        {inGroups(secret)}
      </code>
      <Button onClick={() => void copy(secret)}>Copy the key</Button>
      <Outcome {...copied} />
    </div>
  )
}
