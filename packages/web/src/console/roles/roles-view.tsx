'use client'

import type { RoleItem } from '@svc/auth'
import { useState } from 'react'
import { AccountPage, Panel, TextLink, useSay } from '../../account-pages/account-pages.ts'
import { consolePaths } from '../console-paths.ts'
import { NewRoleForm } from './new-role-form.tsx'
import { RoleRow } from './role-row.tsx'

interface Props {
  /** What the server found when it rendered the page. */
  initial: RoleItem[]
  /** Those that can be granted. */
  permissions: string[]
}

/** All roles, a form for another one, and the way to the users. */
export function RolesView({ initial, permissions }: Props) {
  const say = useSay()
  const [roles, setRoles] = useState(initial)
  const show = (changed: RoleItem) => setRoles((before) => rolesWith(before, changed))
  const hide = (roleId: string) =>
    setRoles((before) => before.filter((role) => role.roleId !== roleId))

  return (
    <AccountPage
      title={say('Roles')}
      about={say(
        'A role is a set of permissions. What changes here counts from the next request on, for each user who has the role.',
      )}
    >
      <div className="svc-stack svc-stack-6">
        <Panel title={say('All roles')} about={say('The highest priority first.')}>
          <ul className="svc-entries">
            {roles.map((role) => (
              <RoleRow
                key={role.roleId}
                {...{ role, permissions }}
                onChanged={show}
                onDeleted={() => hide(role.roleId)}
              />
            ))}
          </ul>
          {roles.every(({ isBuiltin }) => isBuiltin) && (
            <p className="svc-note svc-above-4">
              {say('There are only built-in roles so far. Create your first one below.')}
            </p>
          )}
        </Panel>
        <Panel title={say('A new role')}>
          <NewRoleForm permissions={permissions} onCreated={show} />
        </Panel>
        <Panel title={say('Give a role')}>
          <p className="svc-note">
            {say.nodes(
              'Find the user under <link>People</link>. You give and take roles on their page.',
              { link: (text) => <TextLink href={consolePaths.people}>{text}</TextLink> },
            )}
          </p>
        </Panel>
      </div>
    </AccountPage>
  )
}

/** The list with a role that was created or changed, the highest priority first, as the API has it. */
export function rolesWith(roles: readonly RoleItem[], changed: RoleItem): RoleItem[] {
  return [...roles.filter(({ roleId }) => roleId !== changed.roleId), changed].toSorted(
    (a, b) => b.priority - a.priority || (a.name < b.name ? -1 : 1),
  )
}
