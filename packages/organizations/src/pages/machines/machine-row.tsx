import { Button, ConfirmButton, RelativeTime } from '@svc/web/account'
import { useState } from 'react'
import {
  type OwnOrganization,
  organizationApi,
  type Role,
  type ServiceAccount,
} from '../organization-api.ts'
import { useOrganizationSay } from '../provider/organization-provider.tsx'
import { NamedRolesForm } from '../roles/named-roles-form.tsx'
import { areWithin, useRoleWords } from '../roles/role-words.ts'
import { teamRoles } from '../teams/team-roles.ts'
import { MachineKeys } from './machine-keys.tsx'

/** A service account, and what runs an action about it. */
export interface MachineRowProps {
  organization: OwnOrganization
  account: ServiceAccount
  roles: readonly Role[]
  now: number
  isBusy: boolean
  /** Resolves to whether it was done. */
  run: (act: () => Promise<unknown>, words: string) => Promise<boolean>
}

/** What a service account is called in sentences. */
export const nameOfAccount = ({ name, userId }: Pick<ServiceAccount, 'name' | 'userId'>) =>
  name ?? userId

export function MachineRow(given: MachineRowProps) {
  const { organization, account, roles } = given
  const say = useOrganizationSay()
  const [isOpen, setOpen] = useState(false)
  const name = nameOfAccount(account)
  const mayChange = areWithin(organization, account.roles, roles)
  return (
    <li className="svc-listed">
      <div className="svc-entry svc-entry-apart">
        <Summary {...given} />
        {mayChange && (
          <Button aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {isOpen ? say('Done') : say('Manage')}
            <span className="svc-hidden"> {name}</span>
          </Button>
        )}
      </div>
      {mayChange && isOpen && (
        <div className="svc-stack svc-stack-6 svc-above-4">
          <Change {...given} />
          <MachineKeys {...given} />
          <div>
            <End {...given} />
          </div>
        </div>
      )}
    </li>
  )
}

function Summary({ account, roles, now }: MachineRowProps) {
  const say = useOrganizationSay()
  const roleWords = useRoleWords(roles)
  const { agent, keys, lastUsedAt, createdAt, madeByName } = account
  const since = <RelativeTime at={createdAt} now={now} />
  return (
    <div className="svc-entry-text svc-entry-text-wide">
      <h2 className="svc-entry-title svc-entry-title-close">
        <bdi className="svc-strong svc-break">{nameOfAccount(account)}</bdi>
        {agent && <span className="svc-badge svc-badge-tiny">{say('Agent')}</span>}
      </h2>
      <p className="svc-note svc-above-1">
        {say('{roles} · keys: {keys}', { roles: roleWords(account.roles), keys })}
      </p>
      {agent && <AgentOf agent={agent} />}
      <p className="svc-note">
        {madeByName === undefined
          ? say.nodes('Made {since}.', { since })
          : say.nodes('Made {since} by {person}.', { since, person: <bdi>{madeByName}</bdi> })}{' '}
        {lastUsedAt === undefined
          ? say('Not used yet.')
          : say.nodes('Last used {since}.', {
              since: <RelativeTime at={lastUsedAt} now={now} />,
            })}
      </p>
    </div>
  )
}

/** An agent chooses its name itself, so its client says more. */
function AgentOf({ agent }: { agent: NonNullable<ServiceAccount['agent']> }) {
  const say = useOrganizationSay()
  const { clientId, redirectHost, scopes } = agent
  const list = new Intl.ListFormat(say.locale, { type: 'unit' })
  const words = { client: <code>{clientId}</code>, scopes: list.format(scopes) }
  // It has redirected to no host.
  if (redirectHost === 'device-code:') {
    return (
      <p className="svc-note svc-break">
        {say.nodes('Client {client}, which showed a code. It may: {scopes}', words)}
      </p>
    )
  }
  return (
    <p className="svc-note svc-break">
      {say.nodes('Client {client} of {host}. It may: {scopes}', {
        ...words,
        host: <bdi>{redirectHost}</bdi>,
      })}
    </p>
  )
}

function Change({ organization, account, roles, isBusy, run }: MachineRowProps) {
  const say = useOrganizationSay()
  const params = { org: organization.organizationId, userId: account.userId }
  return (
    <NamedRolesForm
      roles={teamRoles(organization, roles)}
      of={account}
      label={say('Save')}
      busyLabel={say('Saving…')}
      isBusy={isBusy}
      onSubmit={(body) =>
        run(
          () => organizationApi.updateServiceAccount.call({ params, body }),
          say('{name} is changed.', { name: body.name }),
        )
      }
    />
  )
}

function End({ organization, account, isBusy, run }: MachineRowProps) {
  const say = useOrganizationSay()
  const name = nameOfAccount(account)
  const params = { org: organization.organizationId, userId: account.userId }
  return (
    <ConfirmButton
      look="danger"
      isBusy={isBusy}
      question={say('Delete {name}? Its keys and its access end at once.', { name })}
      confirm={say('Yes, delete the account')}
      onConfirm={() =>
        void run(
          () => organizationApi.deleteServiceAccount.call({ params }),
          say('{name} is deleted.', { name }),
        )
      }
    >
      {say('Delete the account')}
    </ConfirmButton>
  )
}
