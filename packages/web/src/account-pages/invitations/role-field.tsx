import type { RoleItem } from '@svc/auth'
import { useSay } from '../provider/account-provider.tsx'
import { Field } from '../ui/field.tsx'
import { Select } from '../ui/select.tsx'

interface Props {
  roles: RoleItem[] | null
  role: string
  onRole: (role: string) => void
}

/** A choice of the roles there are; where they are not told, the name of one. The API refuses a role that the user may not give. */
export function RoleField({ roles, role, onRole }: Props) {
  const say = useSay()
  if (!roles) {
    return (
      <Field
        label={say('Role')}
        name="role"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        value={role}
        onChange={(event) => onRole(event.target.value)}
        hint={say('The name of a role with less priority than yours.')}
      />
    )
  }
  return (
    <Select label={say('Role')} value={role} onChange={(event) => onRole(event.target.value)}>
      {roles.map(({ name, displayName }) => (
        <option key={name} value={name}>
          {displayName}
        </option>
      ))}
    </Select>
  )
}
