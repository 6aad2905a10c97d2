import { useState } from 'react'
import { useUsernameCheck } from '../../account/use-username-check.ts'
import { useSay } from '../provider/account-provider.tsx'
import { Field } from '../ui/field.tsx'

interface Props {
  current: string | undefined
  /** Why the last one that was sent was not taken. */
  problem: string
}

/** Says while it is typed whether the name can be had. */
export function UsernameField({ current, problem }: Props) {
  const say = useSay()
  const [entered, setEntered] = useState(current ?? '')
  const status = useUsernameCheck(entered.trim(), { current })
  return (
    <div>
      <Field
        label={say('Username')}
        name="username"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        value={entered}
        onChange={(event) => setEntered(event.target.value)}
        problem={problem}
        hint={say('Others may see it. Letters a to z, digits, “.”, “_” and “-”.')}
      />
      <p role="status" className={`svc-username svc-username-${status}`}>
        {problem || status === 'unasked' ? '' : say(words[status])}
      </p>
    </div>
  )
}

const words = {
  checking: 'Checking this username…',
  available: 'This username is free.',
  unavailable: 'This username is taken, reserved, too short or too long. Choose another one.',
  unknown: 'We can’t check this username right now.',
} as const
