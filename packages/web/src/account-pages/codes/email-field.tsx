import { useSay } from '../provider/account-provider.tsx'
import { Field } from '../ui/field.tsx'

export interface Email {
  /** What was entered, here or on the way that was tried before. */
  email: string
  onEmail: (email: string) => void
  /** The browser may offer passkeys in the field. */
  offersPasskeys?: boolean
}

export function EmailField({
  email,
  onEmail,
  offersPasskeys = false,
  hint,
}: Email & { hint?: string | undefined }) {
  const say = useSay()
  return (
    <Field
      label={say('Email')}
      name="email"
      type="email"
      autoComplete={offersPasskeys ? 'username webauthn' : 'username'}
      // A browser may have filled it in before the page’s scripts ran: the form is what counts.
      defaultValue={email}
      onChange={(event) => onEmail(event.target.value)}
      hint={hint}
    />
  )
}
