import { type FormEvent, useState } from 'react'
import type { Action } from '../../account/use-action.ts'
import { useSay } from '../provider/account-provider.tsx'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { formText } from '../ui/form-text.ts'
import { Outcome } from '../ui/outcome.tsx'
import { approvalFailure } from './approval-failure.ts'

interface Props {
  /** What the address of the page has filled in. */
  code: string
  looking: Action<[userCode: string], unknown>
}

/** Asks for the code that a device shows. The API reads it in either case, with or without spaces and dashes. */
export function AskForCode({ code, looking }: Props) {
  const say = useSay()
  const [missing, setMissing] = useState('')

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const typed = formText(new FormData(event.currentTarget), 'code').trim()
    setMissing(typed ? '' : say('Enter the code that the device shows.'))
    if (typed) void looking.run(typed)
  }

  return (
    <form method="post" noValidate onSubmit={submit} className="svc-stack">
      <Field
        label={say('Code')}
        name="code"
        look="code"
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        maxLength={32}
        placeholder={say('XXXX-XXXX')}
        defaultValue={code}
        hint={say('Eight letters and digits. Upper and lower case are the same.')}
      />
      <Outcome problem={missing || (looking.error ? approvalFailure(say, looking.error) : '')} />
      <Button type="submit" look="primary" isBusy={looking.isRunning}>
        {looking.isRunning ? say('Checking…') : say('Continue')}
      </Button>
    </form>
  )
}
