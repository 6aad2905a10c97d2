import { Button } from '@svc/web/account'
import type { ReactNode } from 'react'

export interface ActFormProps {
  /** Of its button. */
  label: string
  busyLabel: string
  isBusy: boolean
  look?: 'primary' | 'plain'
  /** What came of it. */
  outcome?: ReactNode
  onSubmit: () => Promise<unknown>
  children: ReactNode
}

/** A form with one button. The API says what is wrong with what was entered. */
export function ActForm({
  label,
  busyLabel,
  isBusy,
  look = 'primary',
  outcome,
  onSubmit,
  children,
}: ActFormProps) {
  return (
    <form
      method="post"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void onSubmit()
      }}
      className="svc-stack svc-stack-3"
    >
      {children}
      {outcome}
      <div>
        <Button type="submit" look={look} isBusy={isBusy}>
          {isBusy ? busyLabel : label}
        </Button>
      </div>
    </form>
  )
}
