import type { FormEvent } from 'react'
import { PermissionBoxes } from '../admin/permission-boxes.tsx'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { Outcome } from '../ui/outcome.tsx'
import { TextArea } from '../ui/text-area.tsx'
import { TextLink } from '../ui/text-link.tsx'

interface Props {
  /** Those of the account, of which some may be chosen. */
  permissions: string[]
  chosen: string[]
  onChoose: (chosen: string[]) => void
  onSubmit: (event: FormEvent<HTMLFormElement>) => void
  isRunning: boolean
  problem: string
  done: string
}

export function MachineForm({ permissions, chosen, onChoose, onSubmit, ...rest }: Props) {
  const { isRunning, problem, done } = rest
  return (
    <form
      method="post"
      noValidate
      onSubmit={onSubmit}
      className="grid gap-5 rounded-xl border border-line bg-sheet p-5 sm:p-6"
    >
      <TextArea
        label="Registration"
        name="registration"
        autoComplete="off"
        spellCheck={false}
        placeholder={'{"publicKey":"…","keyId":"…","fingerprint":"…","algorithm":"ES256"}'}
        hint="Paste the text that the program prints after it creates its key. It is public. The private half stays with the program."
      />
      <div className="grid items-start gap-x-6 gap-y-5 sm:grid-cols-[1fr_10rem]">
        <Field
          label="Name"
          name="deviceName"
          autoComplete="off"
          maxLength={64}
          hint="The name in your list of devices, for example Nightly report."
        />
        <Field
          label="Days"
          name="days"
          type="number"
          min={1}
          max={365}
          defaultValue={90}
          hint="From 1 to 365."
        />
      </div>
      <div>
        <PermissionBoxes names={permissions} chosen={chosen} onChoose={onChoose} />
        <p className="mt-2 text-faded text-sm">
          Give it as few as it needs. With none, it can do what every signed-in user can do.
        </p>
      </div>
      <div className="grid gap-2 [overflow-wrap:anywhere]">
        <Outcome problem={problem} done={done} />
        {done && (
          <p className="text-sm">
            The key appears in <TextLink href="/account/devices">your devices</TextLink>, where you
            can also remove it.
          </p>
        )}
      </div>
      <div>
        <Button type="submit" look="primary" isBusy={isRunning}>
          {isRunning ? 'Registering…' : 'Register the key'}
        </Button>
      </div>
    </form>
  )
}
