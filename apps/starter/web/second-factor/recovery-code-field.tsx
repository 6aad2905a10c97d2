import { Field } from '../ui/field.tsx'

export function RecoveryCodeField() {
  return (
    <Field
      label="Recovery code"
      name="recoveryCode"
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      maxLength={32}
      placeholder="xxxxx-xxxxx"
      hint="One of the ten codes that you saved. Each works once."
    />
  )
}
