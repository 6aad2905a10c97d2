import { type ComponentProps, useState } from 'react'
import { useSay } from '../provider/account-provider.tsx'
import { Field } from './field.tsx'

type PasswordFieldProps = Omit<ComponentProps<typeof Field>, 'type' | 'action' | 'look'>

/** A password field. The user can show the password while they type. */
export function PasswordField(props: PasswordFieldProps) {
  const say = useSay()
  const [isShown, setShown] = useState(false)
  return (
    <Field
      {...props}
      type={isShown ? 'text' : 'password'}
      autoCapitalize="none"
      spellCheck={false}
      action={
        <button
          type="button"
          aria-label={isShown ? say('Hide what is typed') : say('Show what is typed')}
          onClick={() => setShown(!isShown)}
          className="svc-reveal"
        >
          {isShown ? say('Hide') : say('Show')}
        </button>
      }
    />
  )
}
