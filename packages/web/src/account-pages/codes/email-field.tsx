import { useSay } from '../provider/account-provider.tsx'
import { Field } from '../ui/field.tsx'

export interface Email {
  /** The initial value: what the user entered here, or for another way to sign in. */
  email: string
  onEmail: (email: string) => void
  /** The browser may offer passkeys in the field. */
  offersPasskeys?: boolean
}

export function EmailField({
  email,
  onEmail,
  offersPasskeys = false,
  ...about
}: Email & { hint?: string | undefined; problem?: string }) {
  const say = useSay()
  return (
    <Field
      label={say('Email')}
      name="email"
      type="email"
      autoComplete={offersPasskeys ? 'username webauthn' : 'username'}
      // A browser may have filled the field in before the page’s scripts ran, so the form's value
      // counts.
      defaultValue={email}
      onChange={(event) => onEmail(event.target.value)}
      {...about}
    />
  )
}
