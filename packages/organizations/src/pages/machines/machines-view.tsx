'use client'

import { Outcome, Panel, useNow } from '@svc/web/account'
import { useRef } from 'react'
import { useAct } from '../acts/use-act.ts'
import {
  type OwnOrganization,
  organizationApi,
  type Role,
  type ServiceAccount,
} from '../organization-api.ts'
import { useOrganizationSay } from '../provider/organization-provider.tsx'
import { NamedRolesForm } from '../roles/named-roles-form.tsx'
import { teamRoles } from '../teams/team-roles.ts'
import { MachineRow } from './machine-row.tsx'

interface MachinesViewProps {
  organization: OwnOrganization
  accounts: readonly ServiceAccount[]
  roles: readonly Role[]
  renderedAt: number
}

/** The programs of an organization: its machines, and the agents that members have connected. */
export function OrganizationMachinesView(given: MachinesViewProps) {
  const say = useOrganizationSay()
  return (
    <div className="svc-stack svc-stack-6">
      <MachineList {...given} />
      <Panel
        title={say('A new service account')}
        about={say('A program acts with it, under a name and with roles of its own.')}
      >
        <NewAccount {...given} />
      </Panel>
    </div>
  )
}

function MachineList({ organization, accounts, roles, renderedAt }: MachinesViewProps) {
  const say = useOrganizationSay()
  const now = useNow(renderedAt)
  const acting = useAct({ invalid: 'A name has 1 to 100 characters. Choose a role too.' })
  const list = useRef<HTMLDivElement>(null)

  async function run(act: () => Promise<unknown>, words: string) {
    const isDone = await acting.run(act, words)
    // The button that had the focus may disappear.
    if (isDone) list.current?.focus()
    return isDone
  }

  return (
    <div ref={list} tabIndex={-1} className="svc-focusable">
      <div className="svc-outcome-box">
        <Outcome problem={acting.problem} done={acting.done} />
      </div>
      {accounts.length === 0 && <p className="svc-note">{say('No program works for it yet.')}</p>}
      {accounts.length > 0 && (
        <ul className="svc-sheet">
          {accounts.map((account) => (
            <MachineRow
              key={account.userId}
              {...{ organization, account, roles, now, run }}
              isBusy={acting.isBusy}
            />
          ))}
        </ul>
      )}
    </div>
  )
}

function NewAccount({ organization, roles }: MachinesViewProps) {
  const say = useOrganizationSay()
  const creating = useAct({
    invalid: 'A name has 1 to 100 characters. Choose a role too.',
    full: 'There are as many service accounts as an organization may have. Delete one first.',
  })
  const params = { org: organization.organizationId }
  return (
    <NamedRolesForm
      roles={teamRoles(organization, roles)}
      label={say('Create the account')}
      busyLabel={say('Creating…')}
      isBusy={creating.isBusy}
      outcome={<Outcome problem={creating.problem} done={creating.done} />}
      onSubmit={(body) =>
        creating.run(
          () => organizationApi.createServiceAccount.call({ params, body }),
          say('{name} is created. Add the key of the program under Manage.', { name: body.name }),
        )
      }
    />
  )
}
