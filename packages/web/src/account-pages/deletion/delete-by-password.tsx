import { useRef, useState } from 'react'
import { useSay } from '../provider/account-provider.tsx'
import { formText } from '../ui/form-text.ts'
import { PasswordField } from '../ui/password-field.tsx'
import { DeleteButton } from './delete-button.tsx'

export function DeleteByPassword({ email }: { email: string }) {
  const say = useSay()
  const form = useRef<HTMLFormElement>(null)
  const [missing, setMissing] = useState('')

  function proof() {
    const password = form.current ? formText(new FormData(form.current), 'password') : ''
    setMissing(password ? '' : say('Enter your password.'))
    return password ? { password } : null
  }

  return (
    <form
      ref={form}
      method="post"
      noValidate
      // Enter is no way to delete an account: the buttons are.
      onSubmit={(event) => event.preventDefault()}
      className="svc-stack"
    >
      <input hidden readOnly type="email" autoComplete="username" value={email} />
      <PasswordField label={say('Your password')} name="password" autoComplete="current-password" />
      <DeleteButton {...{ email, proof }} problem={missing} />
    </form>
  )
}
