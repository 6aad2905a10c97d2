import { type UsernameStatus, useUsernameCheck } from '@svc/web/react'
import { useState } from 'react'
import { Field } from '../ui/field.tsx'

interface Props {
  current: string | undefined
  /** Why the last one that was sent was not taken. */
  problem: string
}

/** Says while it is typed whether the name can be had. */
export function UsernameField({ current, problem }: Props) {
  const [entered, setEntered] = useState(current ?? '')
  const status = useUsernameCheck(entered.trim(), { current })
  return (
    <div>
      <Field
        label="Username"
        name="username"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        value={entered}
        onChange={(event) => setEntered(event.target.value)}
        problem={problem}
        hint="Others may see it. Letters a to z, digits, “.”, “_” and “-”."
      />
      <p role="status" className={`mt-1 text-sm empty:mt-0 ${looks[status]}`}>
        {problem ? '' : words[status]}
      </p>
    </div>
  )
}

const words: Record<UsernameStatus, string> = {
  unasked: '',
  checking: 'Checking this username…',
  available: 'This username is free.',
  unavailable: 'This username is taken, reserved, too short or too long. Choose another one.',
  unknown: 'We can’t check this username right now.',
}

const looks: Record<UsernameStatus, string> = {
  unasked: '',
  checking: 'text-faded',
  available: 'text-accent',
  unavailable: 'text-danger',
  unknown: 'text-faded',
}
