import { type ComponentProps, type FormEvent, useRef } from 'react'
import { useSay } from '../provider/account-provider.tsx'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { formText } from '../ui/form-text.ts'
import { Outcome } from '../ui/outcome.tsx'
import { Panel } from '../ui/panel.tsx'

interface Props {
  isSupported: boolean | null
  isBusy: boolean
  /** What came of it. */
  outcome: ComponentProps<typeof Outcome>
  /** Whether there is one more now. */
  onAdd: (label: string) => Promise<boolean>
}

export function AddPasskey({ isSupported, isBusy, outcome, onAdd }: Props) {
  const say = useSay()
  const form = useRef<HTMLFormElement>(null)

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const label = formText(new FormData(event.currentTarget), 'label').trim()
    if (await onAdd(label)) form.current?.reset()
  }

  if (isSupported === false) {
    return (
      <Panel
        title={say('Add a passkey')}
        about={say(
          'This browser can’t use passkeys. Open this page in a newer browser or on your phone.',
        )}
      />
    )
  }
  return (
    <Panel
      title={say('Add a passkey')}
      about={say(
        'Your browser asks where to keep it: on this device, in your password manager, on your phone or on a security key.',
      )}
    >
      <form
        ref={form}
        method="post"
        noValidate
        onSubmit={(event) => void submit(event)}
        className="svc-stack svc-narrow"
      >
        <Field
          label={say('Name')}
          name="label"
          maxLength={64}
          autoComplete="off"
          hint={say(
            'A name that you will recognize. Without one, we name it after where it is stored.',
          )}
        />
        <div>
          <Button type="submit" look="primary" isBusy={isBusy}>
            {isBusy ? say('Waiting for your browser…') : say('Add a passkey')}
          </Button>
        </div>
        <Outcome {...outcome} />
      </form>
    </Panel>
  )
}
