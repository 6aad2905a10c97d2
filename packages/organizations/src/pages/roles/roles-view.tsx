'use client'

import { Button, ConfirmButton, Outcome, Panel } from '@svc/web/account'
import { useRef, useState } from 'react'
import { useAct } from '../acts/use-act.ts'
import {
  type OwnOrganization,
  organizationApi,
  type Role,
  type RolesOfOrganization,
} from '../organization-api.ts'
import { useOrganizationSay } from '../provider/organization-provider.tsx'
import { RoleForm } from './role-form.tsx'
import { isWithin } from './role-words.ts'

interface RolesViewProps extends RolesOfOrganization {
  organization: OwnOrganization
}

/** The roles of an organization, and what each allows. */
export function RolesView({ organization, roles, permissions }: RolesViewProps) {
  const say = useOrganizationSay()
  const mayManage = organization.permissions.includes('role:manage')
  return (
    <div className="svc-stack svc-stack-6">
      <RoleList {...{ organization, roles, permissions, mayManage }} />
      {mayManage && (
        <Panel
          title={say('A new role')}
          about={say('It can allow no more than your own roles do.')}
        >
          <NewRole {...{ organization, permissions }} />
        </Panel>
      )}
    </div>
  )
}

type Permissions = RolesOfOrganization['permissions']

function RoleList({ roles, mayManage, ...given }: RolesViewProps & { mayManage: boolean }) {
  const acting = useAct({ invalid: 'A display name has 1 to 100 characters.' })
  const list = useRef<HTMLDivElement>(null)

  async function run(act: () => Promise<unknown>, words: string) {
    const isDone = await acting.run(act, words)
    // The button that had the focus disappears.
    if (isDone) list.current?.focus()
    return isDone
  }

  return (
    <div ref={list} tabIndex={-1} className="svc-focusable">
      <div className="svc-outcome-box">
        <Outcome problem={acting.problem} done={acting.done} />
      </div>
      <ul className="svc-sheet">
        {roles.map((role) => (
          <RoleRow
            key={role.name}
            {...{ ...given, role, run }}
            isBusy={acting.isBusy}
            mayChange={mayManage && !role.isBuiltIn && isWithin(given.organization, role)}
          />
        ))}
      </ul>
    </div>
  )
}

interface RoleRowProps {
  organization: OwnOrganization
  role: Role
  permissions: Permissions
  mayChange: boolean
  isBusy: boolean
  run: (act: () => Promise<unknown>, words: string) => Promise<boolean>
}

function RoleRow(given: RoleRowProps) {
  const { role, mayChange } = given
  const say = useOrganizationSay()
  const [isOpen, setOpen] = useState(false)
  const name = say.fromApi(role.displayName)
  return (
    <li className="svc-listed">
      <div className="svc-entry svc-entry-apart">
        <div className="svc-entry-text svc-entry-text-wide">
          <h2 className="svc-entry-title svc-entry-title-close">
            <bdi className="svc-strong">{name}</bdi>
            {role.isBuiltIn && <span className="svc-badge svc-badge-tiny">{say('built-in')}</span>}
          </h2>
          <p className="svc-note svc-above-1">
            <Allowed {...given} />
          </p>
        </div>
        {mayChange && (
          <Button aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {isOpen ? say('Done') : say('Manage')}
            <span className="svc-hidden"> {name}</span>
          </Button>
        )}
      </div>
      {mayChange && isOpen && <ChangeRole {...given} onDone={() => setOpen(false)} />}
    </li>
  )
}

/** What a role allows, in words. */
function Allowed({ role, permissions }: Pick<RoleRowProps, 'role' | 'permissions'>) {
  const say = useOrganizationSay()
  const names = permissions
    .filter(({ name }) => role.permissions.includes(name))
    .map(({ displayName }) => say.fromApi(displayName))
  if (names.length === 0) return say('Only what every member may do.')
  if (names.length === permissions.length) return say('Everything in the organization.')
  return new Intl.ListFormat(say.locale, { type: 'unit' }).format(names)
}

function ChangeRole({
  organization,
  role,
  isBusy,
  run,
  onDone,
  ...given
}: RoleRowProps & { onDone: () => void }) {
  const say = useOrganizationSay()
  const params = { org: organization.organizationId, role: role.name }
  const name = say.fromApi(role.displayName)
  return (
    <div className="svc-stack svc-above-4">
      <RoleForm
        {...{ organization, isBusy }}
        permissions={given.permissions}
        role={role}
        label={say('Save')}
        busyLabel={say('Saving…')}
        onSubmit={async ({ displayName, permissions }) => {
          const isDone = await run(
            () =>
              organizationApi.updateOrganizationRole.call({
                params,
                body: { displayName, permissions },
              }),
            say('The role {name} is changed.', { name: displayName }),
          )
          if (isDone) onDone()
          return isDone
        }}
      />
      <div>
        <ConfirmButton
          look="danger"
          isBusy={isBusy}
          question={say(
            'Delete the role {name}? Members who have no other role have the role Member then.',
            { name },
          )}
          confirm={say('Yes, delete it')}
          onConfirm={() =>
            void run(
              () => organizationApi.deleteOrganizationRole.call({ params }),
              say('The role {name} is deleted.', { name }),
            )
          }
        >
          {say('Delete the role')}
        </ConfirmButton>
      </div>
    </div>
  )
}

function NewRole({
  organization,
  permissions,
}: Pick<RoleRowProps, 'organization' | 'permissions'>) {
  const say = useOrganizationSay()
  const creating = useAct({
    invalid: 'A name has 2 to 40 of a–z, 0–9, “_” and “-”, and begins with a letter.',
    full: 'There are as many roles as an organization may have. Delete one first.',
  })
  const params = { org: organization.organizationId }
  return (
    <RoleForm
      {...{ organization, permissions }}
      label={say('Create the role')}
      busyLabel={say('Creating…')}
      isBusy={creating.isBusy}
      outcome={<Outcome problem={creating.problem} done={creating.done} />}
      onSubmit={(body) =>
        creating.run(
          () => organizationApi.createOrganizationRole.call({ params, body }),
          say('The role {name} is created.', { name: body.displayName }),
        )
      }
    />
  )
}
