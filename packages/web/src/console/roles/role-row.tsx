import { authApi, type RoleItem } from '@svc/auth'
import { useRef, useState } from 'react'
import { useAction } from '../../account/account.ts'
import {
  Button,
  ConfirmButton,
  Outcome,
  usePermissionWords,
  useSay,
} from '../../account-pages/account-pages.ts'
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
  const say = useSay()
  const [isEditing, setEditing] = useState(false)
  const editButton = useRef<HTMLButtonElement>(null)

  function close() {
    // The focus would be lost with the form.
    editButton.current?.focus()
    setEditing(false)
  }

  return (
    <li className="svc-entry-box">
      <div className="svc-entry svc-entry-apart">
        <RoleFacts role={role} />
        <div className="svc-row-actions">
          <Button
            ref={editButton}
            aria-expanded={isEditing}
            onClick={() => setEditing((before) => !before)}
          >
            {say('Edit')}
            <span className="svc-hidden"> {role.name}</span>
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
  return (
    <div className="svc-entry-text svc-entry-text-wide">
      <h3 className="svc-entry-title svc-entry-title-close">
        <span className="svc-strong svc-break">{say.fromApi(role.displayName)}</span>
        <code className="svc-note svc-break">{role.name}</code>
        {role.isBuiltin && <span className="svc-badge svc-badge-tiny">{say('built-in')}</span>}
        {!role.isActive && <span className="svc-small svc-problem">{say('not active')}</span>}
      </h3>
      <p className="svc-note svc-above-1">
        {say('Priority')} {role.priority}
      </p>
      <Permissions names={role.permissions} />
    </div>
  )
}

function Permissions({ names }: { names: string[] }) {
  const say = useSay()
  const permissionWords = usePermissionWords()
  if (names.length === 0)
    return <p className="svc-note svc-above-1">{say('It has no permissions.')}</p>
  return (
    <ul aria-label={say('Permissions')} className="svc-row svc-above-2">
      {names.map((name) => (
        <li key={name} title={name} className="svc-badge svc-badge-tiny svc-badge-fresh">
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
  const deleting = useAction(async () => {
    await authApi.deleteAdminRole.call({ params: { roleId: role.roleId } })
    onDeleted()
  })
  return (
    <>
      <ConfirmButton
        question={say('Delete the role “{name}” permanently?', { name: role.displayName })}
        confirm={deleting.isRunning ? say('Deleting…') : say('Delete it')}
        isBusy={deleting.isRunning}
        onConfirm={() => void deleting.run()}
      >
        {say('Delete')}
        <span className="svc-hidden"> {role.name}</span>
      </ConfirmButton>
      <Outcome problem={deleting.error === null ? '' : roleRefusal(say, deleting.error)} />
    </>
  )
}
