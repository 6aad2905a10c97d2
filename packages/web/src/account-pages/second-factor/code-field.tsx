import { useSay } from '../provider/account-provider.tsx'
import { Field } from '../ui/field.tsx'

/** Where the six digits of an authenticator app go. A paste may bring spaces along, so there is room for them. */
export function CodeField({ hint }: { hint: string }) {
  const say = useSay()
  return (
    <Field
      label={say('Code')}
      name="code"
      look="code"
      inputMode="numeric"
      autoComplete="one-time-code"
      maxLength={16}
      placeholder="000000"
      hint={hint}
    />
  )
}
