import { Button, Field } from '@svc/web/account'
import { type FormEvent, type ReactNode, useState } from 'react'
import type { OwnOrganization, Role, Team } from '../organization-api.ts'
import { useOrganizationSay } from '../provider/organization-provider.tsx'
import { RoleBoxes } from '../roles/role-boxes.tsx'
import { teamRoles } from './team-roles.ts'

interface TeamFormProps {
  organization: OwnOrganization
  roles: readonly Role[]
  /** The team that it changes. Without one, it makes a new one. */
  team?: Team
  label: string
  busyLabel: string
  isBusy: boolean
  outcome?: ReactNode
  /** Resolves to whether it was done. */
  onSubmit: (given: { name: string; roles: string[] }) => Promise<boolean>
}

/** The name of a team, and the roles that all its members have. */
export function TeamForm({ organization, roles, team, isBusy, outcome, ...given }: TeamFormProps) {
  const say = useOrganizationSay()
  const [name, setName] = useState(team?.name ?? '')
  const [chosen, setChosen] = useState<readonly string[]>(team?.roles ?? [])

  async function submit(event: FormEvent) {
    event.preventDefault()
    const isDone = await given.onSubmit({ name: name.trim(), roles: [...chosen] })
    if (!isDone || team) return
    setName('')
    setChosen([])
  }

  return (
    <form
      method="post"
      noValidate
      onSubmit={(event) => void submit(event)}
      className="svc-stack svc-stack-3"
    >
      <Field
        label={say('Name')}
        autoComplete="off"
        maxLength={100}
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      <RoleBoxes
        legend={say('Roles of each member, in the whole organization')}
        roles={teamRoles(organization, roles)}
        chosen={chosen}
        onChoose={setChosen}
      />
      {outcome}
      <div>
        <Button type="submit" look="primary" isBusy={isBusy}>
          {isBusy ? given.busyLabel : given.label}
        </Button>
      </div>
    </form>
  )
}
