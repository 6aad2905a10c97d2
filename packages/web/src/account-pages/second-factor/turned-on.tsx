import type { MfaStatus } from '@svc/auth'
import { usePaths, useSay } from '../provider/account-provider.tsx'
import { Button, TextLink } from '../ui/button.tsx'
import { ConfirmButton } from '../ui/confirm-button.tsx'
import { Outcome } from '../ui/outcome.tsx'
import { Panel } from '../ui/page.tsx'
import type { Say } from '../words/say.ts'

interface Props {
  status: MfaStatus
  isBusy: boolean
  /** What went wrong with each, or nothing. */
  problems: Record<'setUp' | 'makeCodes' | 'turnOff', string>
  setUp: () => void
  makeCodes: () => void
  turnOff: () => void
}

/** The second step of an account that has one. */
export function TurnedOn({ status, isBusy, problems, setUp, makeCodes, turnOff }: Props) {
  const paths = usePaths()
  const say = useSay()
  return (
    <div className="svc-stack svc-stack-5">
      <section className="svc-sheet">
        <h2 tabIndex={-1} className="svc-title">
          {say('It is on')}
        </h2>
        <p className="svc-note svc-prose svc-above-1">
          {say.nodes(
            'Your second step is {methods}. You choose which passkeys count in <link>your passkeys</link>.',
            {
              methods: methodsInWords(say, status.methods),
              link: (text) => <TextLink href={paths.passkeys}>{text}</TextLink>,
            },
          )}
        </p>
        {!status.methods.includes('totp') && (
          <div className="svc-above-4">
            <Button isBusy={isBusy} onClick={setUp}>
              {say('Set up an authenticator app')}
            </Button>
            <Outcome problem={problems.setUp} />
          </div>
        )}
      </section>
      <Panel
        title={say('Recovery codes')}
        about={say(
          'If you lose your phone or passkey, each code signs you in once. New codes replace the old ones.',
        )}
      >
        <CodesLeft remaining={status.recoveryCodesRemaining} />
        <div className="svc-flex">
          <FreshCodes {...{ status, isBusy, makeCodes }} />
        </div>
        <Outcome problem={problems.makeCodes} />
      </Panel>
      <Panel
        title={say('Turn it off')}
        about={say('Then your password is enough to sign in on any device.')}
      >
        <div className="svc-flex">
          <ConfirmButton
            look="danger"
            isBusy={isBusy}
            question={say(
              'Turn two-step sign-in off? The entry in your app and your recovery codes stop working. You can still sign in with your passkeys.',
            )}
            confirm={say('Yes, turn it off')}
            onConfirm={turnOff}
          >
            {say('Turn two-step sign-in off')}
          </ConfirmButton>
        </div>
        <Outcome problem={problems.turnOff} />
      </Panel>
    </div>
  )
}

function CodesLeft({ remaining }: { remaining: number }) {
  const say = useSay()
  return (
    <p className={`svc-small svc-below-4 ${isToRefill(remaining) ? 'svc-problem' : ''}`}>
      {codesLeft(say, remaining)}
    </p>
  )
}

/** If there are codes already, the user may have them on paper. */
function FreshCodes({ status, isBusy, makeCodes }: Pick<Props, 'status' | 'isBusy' | 'makeCodes'>) {
  const say = useSay()
  if (status.recoveryCodesRemaining === 0) {
    return (
      <Button isBusy={isBusy} onClick={makeCodes}>
        {say('Create recovery codes')}
      </Button>
    )
  }
  return (
    <ConfirmButton
      isBusy={isBusy}
      question={say('Create ten new codes? Your old codes will stop working.')}
      confirm={say('Yes, create new codes')}
      onConfirm={makeCodes}
    >
      {say('Create new codes')}
    </ConfirmButton>
  )
}

const names = { totp: 'an authenticator app', passkey: 'a passkey' } as const

export function methodsInWords(say: Say, methods: MfaStatus['methods']) {
  return new Intl.ListFormat(say.locale, { type: 'disjunction' }).format(
    methods.map((method) => say(names[method])),
  )
}

/** So few codes remain that the user should make new ones. */
export function isToRefill(remaining: number) {
  return remaining <= 3
}

export function codesLeft(say: Say, remaining: number) {
  if (remaining === 0) return say('You have none. Create some while you can still sign in.')
  const left =
    remaining === 1 ? say('Only one is left.') : say('{remaining} are left.', { remaining })
  return isToRefill(remaining) ? `${left} ${say('Create new ones soon.')}` : left
}
