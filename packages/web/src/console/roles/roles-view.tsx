'use client'

import type { RoleItem } from '@svc/auth'
import { useState } from 'react'
import { AccountPage, Panel, useSay } from '../../account-pages/account-pages.ts'
import { NewRoleForm } from './new-role-form.tsx'
import { RoleRow } from './role-row.tsx'

interface Props {
  /** What the server found when it rendered the page. */
  initial: RoleItem[]
  /** Those that can be granted. */
  permissions: string[]
}

/** All roles, and a form for another one. */
export function RolesView({ initial, permissions }: Props) {
  const say = useSay()
  const [roles, setRoles] = useState(initial)
  const show = (changed: RoleItem) => setRoles((before) => rolesWith(before, changed))
  const hide = (roleId: string) =>
    setRoles((before) => before.filter((role) => role.roleId !== roleId))

  return (
    <AccountPage title={say('Roles')} about={say('You give and take roles on the page of a user.')}>
      <div className="svc-stack svc-stack-6">
        <div className="svc-sheet">
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
        </div>
        <Panel title={say('Create role')}>
          <NewRoleForm permissions={permissions} onCreated={show} />
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
