import { usePaths, useSay } from '../provider/account-provider.tsx'
import { Button } from '../ui/button.tsx'
import { TextLink } from '../ui/text-link.tsx'

interface Props {
  isBusy: boolean
  onSetUp: () => void
}

/** Says what two-step sign-in is good for, and how to begin. */
export function TurnedOff({ isBusy, onSetUp }: Props) {
  const paths = usePaths()
  const say = useSay()
  return (
    <section className="svc-sheet">
      <h2 tabIndex={-1} className="svc-title">
        {say('It is off')}
      </h2>
      <p className="svc-note svc-prose svc-paragraph svc-above-1">
        {say(
          'An attacker who learns your password can sign in with it. With an authenticator app, they also need your phone. You enter six digits on each new device, and before you change security settings.',
        )}
      </p>
      <div className="svc-above-4">
        <Button look="primary" isBusy={isBusy} onClick={onSetUp}>
          {isBusy ? say('Preparing…') : say('Set up an authenticator app')}
        </Button>
      </div>
      <p className="svc-note svc-prose svc-above-4">
        {say.nodes(
          'You can also use a passkey as the second step. Choose one in <link>your passkeys</link>.',
          { link: (text) => <TextLink href={paths.passkeys}>{text}</TextLink> },
        )}
      </p>
    </section>
  )
}
