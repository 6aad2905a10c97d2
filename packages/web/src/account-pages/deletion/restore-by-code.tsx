import { authApi } from '@svc/auth'
import { useEmailCode } from '../../account/use-email-code.ts'
import { AskForEmail } from '../codes/ask-for-email.tsx'
import type { Email } from '../codes/email-field.tsx'
import { EnterCode } from '../codes/enter-code.tsx'
import { useSay } from '../provider/account-provider.tsx'
import { FocusOnChange } from '../ui/focus-on-change.tsx'
import { codeRestoreFailure } from './deletion-failure.ts'

export function RestoreByCode({ onRestored, ...address }: Email & { onRestored: () => void }) {
  const say = useSay()
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
          label={say('Restore my account')}
          busyLabel={say('Restoring…')}
          failure={(error) => codeRestoreFailure(say, error)}
          onStartOver={code.startOver}
        />
      ) : (
        <AskForEmail {...address} sending={code.sending} label={say('Send code')} />
      )}
    </FocusOnChange>
  )
}
