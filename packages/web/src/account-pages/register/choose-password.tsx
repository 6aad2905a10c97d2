import type { ProvenEmail } from '../../account/use-email-code.ts'
import { useRegister } from '../../account/use-register.ts'
import { useSay } from '../provider/account-provider.tsx'
import { QuietButton } from '../ui/quiet-button.tsx'
import { SetPassword } from '../ui/set-password.tsx'
import { registerFailure } from './register-failure.ts'
import { SignInInstead } from './sign-in-instead.tsx'

interface Props {
  proven: ProvenEmail
  returnTo: string
  onRegistered: () => void
  onStartOver: () => void
}

/** The last step: what the account is kept with. */
export function ChoosePassword({ proven, returnTo, onRegistered, onStartOver }: Props) {
  const say = useSay()
  const { run, ...registering } = useRegister({ onRegistered })
  return (
    <SetPassword
      email={proven.email}
      setting={{ ...registering, run: (password) => run({ ...proven, password }) }}
      label={say('Create account')}
      busyLabel={say('Creating…')}
      failure={(error) => registerFailure(say, error)}
      wayOn={<SignInInstead of={registering.error} returnTo={returnTo} />}
    >
      <p className="svc-small">
        {say.nodes('{email} is yours. <link>Use another address</link>', {
          email: <strong className="svc-strong svc-break">{proven.email}</strong>,
          link: (text) => <QuietButton onClick={onStartOver}>{text}</QuietButton>,
        })}
      </p>
    </SetPassword>
  )
}
