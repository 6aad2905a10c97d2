import { Field } from '@svc/web/account'
import { useState } from 'react'
import { ActForm, type ActFormProps } from '../acts/act-form.tsx'
import type { Role } from '../organization-api.ts'
import { useOrganizationSay } from '../provider/organization-provider.tsx'
import { RoleBoxes } from './role-boxes.tsx'

interface NamedRolesFormProps extends Omit<ActFormProps, 'onSubmit' | 'children'> {
  /** Those that the user may give. */
  roles: readonly Role[]
  /** What they are roles of. */
  legend?: string
  /** What it changes. Without it, it makes a new one. */
  of?: { readonly name: string | null; readonly roles: readonly string[] }
  /** Resolves to whether it was done. */
  onSubmit: (given: { name: string; roles: string[] }) => Promise<boolean>
}

/** A name and roles: of a team, or of a service account. */
export function NamedRolesForm({ roles, legend, of, onSubmit, ...labels }: NamedRolesFormProps) {
  const say = useOrganizationSay()
  const [name, setName] = useState(of?.name ?? '')
  const [chosen, setChosen] = useState<readonly string[]>(of?.roles ?? [])

  async function submit() {
    const isDone = await onSubmit({ name: name.trim(), roles: [...chosen] })
    if (!isDone || of) return
    setName('')
    setChosen([])
  }

  return (
    <ActForm {...labels} onSubmit={submit}>
      <Field
        label={say('Name')}
        autoComplete="off"
        maxLength={100}
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      <RoleBoxes
        {...{ roles, chosen }}
        {...(legend !== undefined && { legend })}
        onChoose={setChosen}
      />
    </ActForm>
  )
}
