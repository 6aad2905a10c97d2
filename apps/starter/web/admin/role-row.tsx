import type { RoleItem } from '@svc/auth'
import { Button } from '@svc/web/account'
import { useRef, useState } from 'react'
import { permissionWords } from '../permissions.ts'
import { DeleteRole } from './delete-role.tsx'
import { RoleEditor } from './role-editor.tsx'

interface Props {
  role: RoleItem
  permissions: string[]
  onChanged: (role: RoleItem) => void
  onDeleted: () => void
}

/** One role, and what can be done with it. */
export function RoleRow({ role, permissions, onChanged, onDeleted }: Props) {
  const [isEditing, setEditing] = useState(false)
  const editButton = useRef<HTMLButtonElement>(null)

  function close() {
    // The focus would be lost with the form.
    editButton.current?.focus()
    setEditing(false)
  }

  return (
    <li className="border-line border-b py-4 first:pt-0 last:border-b-0 last:pb-0">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-3">
        <RoleFacts role={role} />
        <div className="flex flex-wrap items-start gap-2">
          <Button
            ref={editButton}
            aria-expanded={isEditing}
            onClick={() => setEditing((before) => !before)}
          >
            Edit<span className="sr-only"> {role.name}</span>
          </Button>
          {!role.isBuiltin && <DeleteRole {...{ role, onDeleted }} />}
        </div>
      </div>
      {isEditing && <RoleEditor {...{ role, permissions, onChanged }} onClose={close} />}
    </li>
  )
}

function RoleFacts({ role }: { role: RoleItem }) {
  return (
    <div className="grid min-w-0 grow basis-60 gap-1.5">
      <h3 className="flex flex-wrap items-baseline gap-x-2 gap-y-1 [overflow-wrap:anywhere]">
        <span className="font-medium">{role.displayName}</span>
        <code className="text-faded text-sm">{role.name}</code>
        {role.isBuiltin && (
          <span className="rounded-full border border-line px-2 py-0.5 text-faded text-xs">
            built-in
          </span>
        )}
        {!role.isActive && <span className="text-danger text-sm">not active</span>}
      </h3>
      <p className="text-faded text-sm">Priority {role.priority}</p>
      <Permissions names={role.permissions} />
    </div>
  )
}

function Permissions({ names }: { names: string[] }) {
  if (names.length === 0) return <p className="text-faded text-sm">It has no permissions.</p>
  return (
    <ul aria-label="Permissions" className="flex flex-wrap gap-1.5 text-xs">
      {names.map((name) => (
        <li
          key={name}
          title={name}
          className="rounded bg-fresh px-1.5 py-0.5 [overflow-wrap:anywhere]"
        >
          {permissionWords(name) ?? <code>{name}</code>}
        </li>
      ))}
    </ul>
  )
}
