import { useSay } from '../provider/account-provider.tsx'
import { Field } from '../ui/field.tsx'

export function RecoveryCodeField() {
  const say = useSay()
  return (
    <Field
      label={say('Recovery code')}
      name="recoveryCode"
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      maxLength={32}
      placeholder="xxxxx-xxxxx"
      hint={say('One of the ten codes that you saved. Each works once.')}
    />
  )
}
