'use client'

import type { RoleItem } from '@svc/auth'
import { Panel, TextLink } from '@svc/web/account'
import { useState } from 'react'
import { NewRoleForm } from './new-role-form.tsx'
import { RoleRow } from './role-row.tsx'

interface Props {
  /** What the server found when it rendered the page. */
  initial: RoleItem[]
  /** Those that can be granted. */
  permissions: string[]
}

export function RoleAdministration({ initial, permissions }: Props) {
  const [roles, setRoles] = useState(initial)
  const show = (changed: RoleItem) => setRoles((before) => rolesWith(before, changed))
  const hide = (roleId: string) =>
    setRoles((before) => before.filter((role) => role.roleId !== roleId))

  return (
    <div className="grid gap-6">
      <Panel title="All roles" about="The highest priority first.">
        <ul>
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
          <div className="pt-4 text-faded text-sm">
            There are only built-in roles so far. Create your first one below.
          </div>
        )}
      </Panel>
      <Panel title="A new role">
        <NewRoleForm permissions={permissions} onCreated={show} />
      </Panel>
      <Panel title="Give a role">
        <p className="text-faded text-sm">
          Find the user under <TextLink href="/admin/people">People</TextLink>. You give and take
          roles on their page.
        </p>
      </Panel>
    </div>
  )
}

/** The list with a role that was created or changed, the highest priority first, as the API has it. */
export function rolesWith(roles: readonly RoleItem[], changed: RoleItem): RoleItem[] {
  return [...roles.filter(({ roleId }) => roleId !== changed.roleId), changed].toSorted(
    (a, b) => b.priority - a.priority || (a.name < b.name ? -1 : 1),
  )
}
