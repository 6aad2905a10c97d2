import { useCodeSignIn } from '../../account/account.ts'
import { AskForEmail, EnterCode } from '../codes/email-code.tsx'
import type { Email } from '../codes/email-field.tsx'
import { codeSignInFailure, RestoreInstead } from '../failures/sign-in-failure.tsx'
import { useSay } from '../provider/account-provider.tsx'
import { FocusOnChange } from '../ui/focus-on-change.tsx'
import { useSignedIn } from './use-signed-in.ts'

/** Signing in with a mailed code. */
export function CodeForm({ returnTo, ...address }: Email & { returnTo: string }) {
  const say = useSay()
  const code = useCodeSignIn({ onAnswer: useSignedIn(returnTo) })
  return (
    <FocusOnChange of={code.sent ? 'code' : 'email'}>
      {code.sent ? (
        <div className="svc-stack">
          <EnterCode
            {...code}
            sent={code.sent}
            label={say('Sign in')}
            busyLabel={say('Signing in…')}
            failure={(error) => codeSignInFailure(say, error)}
            onStartOver={code.startOver}
          />
          <RestoreInstead of={code.verifying.error} />
        </div>
      ) : (
        <AskForEmail {...address} sending={code.sending} label={say('Send code')} />
      )}
    </FocusOnChange>
  )
}
