import { authApi } from '@svc/auth'
import { useEmailCode } from '@svc/web/react'
import { AskForEmail } from '../sign-in/ask-for-email.tsx'
import type { Email } from '../sign-in/email-field.tsx'
import { EnterCode } from '../sign-in/enter-code.tsx'
import { FocusOnChange } from '../ui/focus-on-change.tsx'
import { codeRestoreFailure } from './deletion-failure.ts'

export function RestoreByCode({ onRestored, ...address }: Email & { onRestored: () => void }) {
  const code = useEmailCode({
    purpose: 'account_deletion',
    onProven: async (proven) => {
      await authApi.cancelAccountDeletion.call({ body: proven })
      onRestored()
    },
  })
  return (
    <FocusOnChange of={code.sent ? 'code' : 'email'}>
      {code.sent ? (
        <EnterCode
          {...code}
          sent={code.sent}
          label="Restore my account"
          busyLabel="Restoring…"
          failure={codeRestoreFailure}
          onStartOver={code.startOver}
        />
      ) : (
        <AskForEmail {...address} sending={code.sending} label="Send code" />
      )}
    </FocusOnChange>
  )
}
