'use client'

import { useCodeSignIn } from '@svc/web/react'
import { RestoreInstead } from '../deletion/restore-instead.tsx'
import { FocusOnChange } from '../ui/focus-on-change.tsx'
import { AskForEmail } from './ask-for-email.tsx'
import type { Email } from './email-field.tsx'
import { EnterCode } from './enter-code.tsx'
import { codeSignInFailure } from './sign-in-failure.ts'
import { useSignedIn } from './use-signed-in.ts'

/** Signing in with a code that is mailed. */
export function CodeForm({ returnTo, ...address }: Email & { returnTo: string }) {
  const code = useCodeSignIn({ onAnswer: useSignedIn(returnTo) })
  return (
    <FocusOnChange of={code.sent ? 'code' : 'email'}>
      {code.sent ? (
        <div className="grid gap-4">
          <EnterCode
            {...code}
            sent={code.sent}
            label="Sign in"
            busyLabel="Signing in…"
            failure={codeSignInFailure}
            onStartOver={code.startOver}
          />
          <RestoreInstead of={code.verifying.error} />
        </div>
      ) : (
        <AskForEmail {...address} sending={code.sending} label="Send code" />
      )}
    </FocusOnChange>
  )
}
