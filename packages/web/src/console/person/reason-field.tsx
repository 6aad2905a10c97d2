import { Field, useSay } from '../../account-pages/account-pages.ts'

interface Props {
  /** Tells it from the fields of other acts on the page. */
  of: string
  reason: string
  onChange: (reason: string) => void
}

/** Why an operator does it: a part of the question that a `ConfirmButton` asks. */
export function ReasonField({ of, reason, onChange }: Props) {
  const say = useSay()
  return (
    <div className="svc-above-3">
      <Field
        label={say('Reason')}
        name={`reason-${of}`}
        autoComplete="off"
        maxLength={500}
        value={reason}
        onChange={(event) => onChange(event.target.value)}
        hint={say('Optional. It is kept in the audit trail.')}
      />
    </div>
  )
}
