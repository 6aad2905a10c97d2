'use client'

import { type ComponentProps, useState } from 'react'
import { Field } from './field.tsx'

type Props = Omit<ComponentProps<typeof Field>, 'type' | 'action' | 'look'>

/** A password, which can be looked at while it is typed. */
export function PasswordField(props: Props) {
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
          aria-label={isShown ? 'Hide what is typed' : 'Show what is typed'}
          onClick={() => setShown(!isShown)}
          className="mr-1 rounded-md px-2 py-1 text-faded text-sm hover:text-ink focus-visible:outline-offset-0"
        >
          {isShown ? 'Hide' : 'Show'}
        </button>
      }
    />
  )
}
