import { Button } from '../ui/button.tsx'
import { TextLink } from '../ui/text-link.tsx'

interface Props {
  isBusy: boolean
  onSetUp: () => void
}

/** Says what two-step sign-in is good for, and how to begin. */
export function TurnedOff({ isBusy, onSetUp }: Props) {
  return (
    <section className="rounded-xl border border-line bg-sheet p-5 sm:p-6">
      <h2 tabIndex={-1} className="font-medium text-lg outline-none">
        It is off
      </h2>
      <p className="mt-1 max-w-prose text-faded text-sm leading-relaxed">
        An attacker who learns your password can sign in with it. With an authenticator app, they
        also need your phone. You enter six digits on each new device, and before you change
        security settings.
      </p>
      <div className="mt-4">
        <Button look="primary" isBusy={isBusy} onClick={onSetUp}>
          {isBusy ? 'Preparing…' : 'Set up an authenticator app'}
        </Button>
      </div>
      <p className="mt-4 max-w-prose text-faded text-sm">
        You can also use a passkey as the second step. Choose one in{' '}
        <TextLink href="/account/security/passkeys">your passkeys</TextLink>.
      </p>
    </section>
  )
}
