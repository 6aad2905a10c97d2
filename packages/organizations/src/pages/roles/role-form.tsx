import { Field, PermissionBoxes } from '@svc/web/account'
import { useState } from 'react'
import { ActForm, type ActFormProps } from '../acts/act-form.tsx'
import type { OwnOrganization, Role, RolesOfOrganization } from '../organization-api.ts'
import { useOrganizationSay } from '../provider/organization-provider.tsx'

interface RoleFormProps extends Omit<ActFormProps, 'onSubmit' | 'children'> {
  organization: OwnOrganization
  permissions: RolesOfOrganization['permissions']
  /** The role to change, or none for a new one. */
  role?: Role
  /** Resolves to whether it was done. */
  onSubmit: (given: {
    name: string
    displayName: string
    permissions: string[]
  }) => Promise<boolean>
}

/** The names of a role, and a checkbox for each permission that the user has. */
export function RoleForm({ organization, permissions, role, onSubmit, ...labels }: RoleFormProps) {
  const say = useOrganizationSay()
  const [displayName, setDisplayName] = useState(role?.displayName ?? '')
  const [name, setName] = useState(role?.name ?? '')
  const [chosen, setChosen] = useState<readonly string[]>(role?.permissions ?? [])
  const words = (of: string) => {
    const found = permissions.find((each) => each.name === of)
    return found && say.fromApi(found.displayName)
  }

  async function submit() {
    const given = { name: name.trim(), displayName: displayName.trim(), permissions: [...chosen] }
    if (!(await onSubmit(given)) || role) return
    setDisplayName('')
    setName('')
    setChosen([])
  }

  return (
    <ActForm {...labels} onSubmit={submit}>
      <div className="svc-form-columns svc-form-columns-wide">
        <Field
          label={say('Display name')}
          autoComplete="off"
          maxLength={100}
          value={displayName}
          onChange={(event) => setDisplayName(event.target.value)}
          hint={say('For people, such as Accountant.')}
        />
        {!role && (
          <Field
            label={say('Name')}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            maxLength={40}
            value={name}
            onChange={(event) => setName(event.target.value)}
            hint={say('For programs, such as accountant. It stays.')}
          />
        )}
      </div>
      <PermissionBoxes
        names={[...organization.permissions]}
        words={words}
        chosen={[...chosen]}
        onChoose={setChosen}
      />
    </ActForm>
  )
}
