import { authApi, type RoleItem } from '@svc/auth'
import { Button, ConfirmButton, Outcome, useSay } from '@svc/web/account'
import { useAction } from '@svc/web/react'
import { useRef, useState } from 'react'
import { usePermissionWords, useWords } from '../words/languages.tsx'
import { fill } from '../words/words.ts'
import { RoleEditor } from './role-editor.tsx'
import { roleRefusal } from './role-refusal.ts'

interface Props {
  role: RoleItem
  permissions: string[]
  onChanged: (role: RoleItem) => void
  onDeleted: () => void
}

/** One role, and what can be done with it. */
export function RoleRow({ role, permissions, onChanged, onDeleted }: Props) {
  const roles = useWords('roles')
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
            {roles.edit}
            <span className="sr-only"> {role.name}</span>
          </Button>
          {!role.isBuiltin && <DeleteRole {...{ role, onDeleted }} />}
        </div>
      </div>
      {isEditing && <RoleEditor {...{ role, permissions, onChanged }} onClose={close} />}
    </li>
  )
}

function RoleFacts({ role }: { role: RoleItem }) {
  const say = useSay()
  const roles = useWords('roles')
  return (
    <div className="grid min-w-0 grow basis-60 gap-1.5">
      <h3 className="flex flex-wrap items-baseline gap-x-2 gap-y-1 [overflow-wrap:anywhere]">
        <span className="font-medium">{say.fromApi(role.displayName)}</span>
        <code className="text-faded text-sm">{role.name}</code>
        {role.isBuiltin && (
          <span className="rounded-full border border-line px-2 py-0.5 text-faded text-xs">
            {roles.builtin}
          </span>
        )}
        {!role.isActive && <span className="text-danger text-sm">{roles.inactive}</span>}
      </h3>
      <p className="text-faded text-sm">{fill(roles.priorityOf, { priority: role.priority })}</p>
      <Permissions names={role.permissions} />
    </div>
  )
}

function Permissions({ names }: { names: string[] }) {
  const roles = useWords('roles')
  const permissionWords = usePermissionWords()
  if (names.length === 0) return <p className="text-faded text-sm">{roles.none}</p>
  return (
    <ul aria-label={roles.permissions} className="flex flex-wrap gap-1.5 text-xs">
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

interface DeleteProps {
  role: RoleItem
  onDeleted: () => void
}

/** Asks once more: a role does not come back. */
function DeleteRole({ role, onDeleted }: DeleteProps) {
  const say = useSay()
  const roles = useWords('roles')
  const deleting = useAction(async () => {
    await authApi.deleteAdminRole.call({ params: { roleId: role.roleId } })
    onDeleted()
  })
  return (
    <div className="grid gap-2">
      <ConfirmButton
        question={fill(roles.deleteQuestion, { name: role.displayName })}
        confirm={deleting.isRunning ? roles.deleting : roles.deleteIt}
        isBusy={deleting.isRunning}
        onConfirm={() => void deleting.run()}
      >
        {roles.delete}
        <span className="sr-only"> {role.name}</span>
      </ConfirmButton>
      <Outcome
        problem={deleting.error === null ? '' : roleRefusal({ roles, say }, deleting.error)}
      />
    </div>
  )
}
