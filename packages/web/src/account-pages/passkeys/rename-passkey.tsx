import type { PasskeyItem } from '@svc/auth'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { useSay } from '../provider/account-provider.tsx'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { formText } from '../ui/form-text.ts'
import { passkeyName } from './passkey-words.ts'

interface Props {
  passkey: PasskeyItem
  isBusy: boolean
  /** Whether it has the name now. */
  onRename: (label: string) => Promise<boolean>
}

/** A button that becomes a form. */
export function RenamePasskey({ passkey, isBusy, onRename }: Props) {
  const say = useSay()
  const [isOpen, setOpen] = useState(false)
  const [missing, setMissing] = useState('')
  const hasOpened = useRef(false)
  const opener = useRef<HTMLButtonElement>(null)
  const form = useRef<HTMLFormElement>(null)

  // The button that had the focus is gone: its place is taken by what came instead.
  useEffect(() => {
    if (isOpen) form.current?.querySelector('input')?.select()
    else if (hasOpened.current) opener.current?.focus()
    hasOpened.current = isOpen
  }, [isOpen])

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const label = formText(new FormData(event.currentTarget), 'label').trim()
    setMissing(label ? '' : say('Enter a name.'))
    if (label && (await onRename(label))) setOpen(false)
  }

  if (!isOpen) {
    return (
      <Button ref={opener} onClick={() => setOpen(true)}>
        {say('Rename')}
        <span className="svc-hidden"> {passkeyName(say, passkey)}</span>
      </Button>
    )
  }
  return (
    <form
      ref={form}
      method="post"
      noValidate
      onSubmit={(event) => void submit(event)}
      onKeyDown={(event) => event.key === 'Escape' && setOpen(false)}
      className="svc-question svc-stack svc-stack-3"
    >
      <Field
        label={say('Name')}
        name="label"
        maxLength={64}
        autoComplete="off"
        defaultValue={passkey.label}
        problem={missing}
      />
      <div className="svc-row">
        <Button type="submit" look="primary" isBusy={isBusy}>
          {isBusy ? say('Saving…') : say('Save')}
        </Button>
        <Button onClick={() => setOpen(false)}>{say('Cancel')}</Button>
      </div>
    </form>
  )
}
