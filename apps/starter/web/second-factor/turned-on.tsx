import type { MfaStatus } from '@svc/auth'
import { Button } from '../ui/button.tsx'
import { ConfirmButton } from '../ui/confirm-button.tsx'
import { Outcome } from '../ui/outcome.tsx'
import { Panel } from '../ui/panel.tsx'
import { TextLink } from '../ui/text-link.tsx'
import { codesLeft, isToRefill, methodsInWords } from './status-words.ts'

interface Props {
  status: MfaStatus
  isBusy: boolean
  /** What went wrong with each, or nothing. */
  problems: Record<'setUp' | 'makeCodes' | 'turnOff', string>
  setUp: () => void
  makeCodes: () => void
  turnOff: () => void
}

/** What an account has as its second step. */
export function TurnedOn({ status, isBusy, problems, setUp, makeCodes, turnOff }: Props) {
  return (
    <div className="grid gap-5">
      <section className="rounded-xl border border-line bg-sheet p-5 sm:p-6">
        <h2 tabIndex={-1} className="font-medium text-lg outline-none">
          It is on
        </h2>
        <p className="mt-1 max-w-prose text-faded text-sm">
          Your second step is {methodsInWords(status.methods)}. You choose which passkeys count in{' '}
          <TextLink href="/account/security/passkeys">your passkeys</TextLink>.
        </p>
        {!status.methods.includes('totp') && (
          <div className="mt-4">
            <Button isBusy={isBusy} onClick={setUp}>
              Set up an authenticator app
            </Button>
            <Outcome problem={problems.setUp} />
          </div>
        )}
      </section>
      <Panel
        title="Recovery codes"
        about="If you lose your phone or passkey, each code signs you in once. New codes replace the old ones."
      >
        <CodesLeft remaining={status.recoveryCodesRemaining} />
        <div className="flex flex-wrap">
          <FreshCodes {...{ status, isBusy, makeCodes }} />
        </div>
        <Outcome problem={problems.makeCodes} />
      </Panel>
      <Panel title="Turn it off" about="Then your password is enough to sign in on any device.">
        <div className="flex flex-wrap">
          <ConfirmButton
            look="danger"
            isBusy={isBusy}
            question="Turn two-step sign-in off? The entry in your app and your recovery codes stop working. You can still sign in with your passkeys."
            confirm="Yes, turn it off"
            onConfirm={turnOff}
          >
            Turn two-step sign-in off
          </ConfirmButton>
        </div>
        <Outcome problem={problems.turnOff} />
      </Panel>
    </div>
  )
}

function CodesLeft({ remaining }: { remaining: number }) {
  return (
    <p className={`mb-4 text-sm ${isToRefill(remaining) ? 'text-danger' : ''}`}>
      {codesLeft(remaining)}
    </p>
  )
}

/** Where there are codes, others may have them on paper. */
function FreshCodes({ status, isBusy, makeCodes }: Pick<Props, 'status' | 'isBusy' | 'makeCodes'>) {
  if (status.recoveryCodesRemaining === 0) {
    return (
      <Button isBusy={isBusy} onClick={makeCodes}>
        Create recovery codes
      </Button>
    )
  }
  return (
    <ConfirmButton
      isBusy={isBusy}
      question="Create ten new codes? Your old codes will stop working."
      confirm="Yes, create new codes"
      onConfirm={makeCodes}
    >
      Create new codes
    </ConfirmButton>
  )
}
