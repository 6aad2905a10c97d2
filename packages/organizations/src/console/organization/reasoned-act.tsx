import { ConfirmButton, Field } from '@svc/web/account'
import { type ComponentProps, type ReactNode, useState } from 'react'
import { useConsoleSay } from '../words/use-console-say.ts'

interface Props
  extends Pick<ComponentProps<typeof ConfirmButton>, 'question' | 'confirm' | 'look'> {
  /** Tells its field from those of other acts on the page. */
  of: string
  button: ReactNode
  isBusy: boolean
  onConfirm: (reason: string) => void
}

/** A button that asks for a reason, without which nothing is done. */
export function ReasonedAct({ of, button, isBusy, onConfirm, ...asked }: Props) {
  const say = useConsoleSay()
  const [reason, setReason] = useState('')
  const [isMissing, setMissing] = useState(false)

  function confirm() {
    const given = reason.trim()
    setMissing(given === '')
    if (given !== '') onConfirm(given)
  }

  return (
    <ConfirmButton
      {...asked}
      isBusy={isBusy}
      choice={
        <div className="svc-above-3">
          <Field
            label={say('Reason')}
            name={`reason-${of}`}
            autoComplete="off"
            maxLength={500}
            required
            value={reason}
            onChange={(event) => setReason(event.target.value)}
            hint={say('It is kept in the audit trail.')}
            problem={isMissing && reason.trim() === '' ? say('Say why you do this.') : ''}
          />
        </div>
      }
      onConfirm={confirm}
    >
      {button}
    </ConfirmButton>
  )
}
