'use client'

import type { RoleItem } from '@svc/auth'
import { Panel } from '@svc/web/account'
import { useState } from 'react'
import { Linked, useWords } from '../words/languages.tsx'
import { NewRoleForm } from './new-role-form.tsx'
import { RoleRow } from './role-row.tsx'

interface Props {
  /** What the server found when it rendered the page. */
  initial: RoleItem[]
  /** Those that can be granted. */
  permissions: string[]
}

export function RoleAdministration({ initial, permissions }: Props) {
  const words = useWords('roles')
  const [roles, setRoles] = useState(initial)
  const show = (changed: RoleItem) => setRoles((before) => rolesWith(before, changed))
  const hide = (roleId: string) =>
    setRoles((before) => before.filter((role) => role.roleId !== roleId))

  return (
    <div className="grid gap-6">
      <Panel title={words.all} about={words.order}>
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
          <div className="pt-4 text-faded text-sm">{words.onlyBuiltin}</div>
        )}
      </Panel>
      <Panel title={words.new}>
        <NewRoleForm permissions={permissions} onCreated={show} />
      </Panel>
      <Panel title={words.give}>
        <p className="text-faded text-sm">
          <Linked words={words.findUser} href="/admin/people" />
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
