'use client'

import { useCodeSignIn } from '../../account/use-code-sign-in.ts'
import { AskForEmail } from '../codes/ask-for-email.tsx'
import type { Email } from '../codes/email-field.tsx'
import { EnterCode } from '../codes/enter-code.tsx'
import { RestoreInstead } from '../failures/restore-instead.tsx'
import { codeSignInFailure } from '../failures/sign-in-failure.ts'
import { useSay } from '../provider/account-provider.tsx'
import { FocusOnChange } from '../ui/focus-on-change.tsx'
import { useSignedIn } from './use-signed-in.ts'

/** Signing in with a code that is mailed. */
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
