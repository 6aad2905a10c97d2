import { authApi, type RoleItem } from '@svc/auth'
import { Button, Field, Outcome, PermissionBoxes, useSay } from '@svc/web/account'
import { useAction } from '@svc/web/react'
import { type FormEvent, useState } from 'react'
import { usePermissionWords, useWords } from '../words/languages.tsx'
import { roleRefusal } from './role-refusal.ts'

interface Props {
  role: RoleItem
  permissions: string[]
  onChanged: (role: RoleItem) => void
  onClose: () => void
}

/** Changes the name of a role, and its permissions. */
export function RoleEditor({ role, permissions, onChanged, onClose }: Props) {
  const say = useSay()
  const roles = useWords('roles')
  const permissionWords = usePermissionWords()
  const [displayName, setDisplayName] = useState(role.displayName)
  const [chosen, setChosen] = useState(role.permissions)
  const isSuperadmin = role.name === 'superadmin'
  const saving = useAction(async () => {
    const body = { displayName: displayName.trim(), permissions: chosen }
    const answer = await authApi.updateAdminRole.call({ params: { roleId: role.roleId }, body })
    onChanged(answer.role)
    onClose()
  })

  function submit(event: FormEvent) {
    event.preventDefault()
    void saving.run()
  }

  return (
    <form
      noValidate
      onSubmit={submit}
      className="mt-4 grid gap-3 rounded-lg border border-line bg-paper p-4"
    >
      <Field
        label={roles.displayName}
        maxLength={100}
        value={displayName}
        onChange={(event) => setDisplayName(event.target.value)}
      />
      <PermissionBoxes
        names={[...new Set([...permissions, ...role.permissions])]}
        words={permissionWords}
        chosen={chosen}
        onChoose={setChosen}
        isFixed={isSuperadmin}
      />
      {isSuperadmin && <p className="text-faded text-sm">{roles.superadmin}</p>}
      <Outcome problem={saving.error === null ? '' : roleRefusal({ roles, say }, saving.error)} />
      <div className="flex flex-wrap gap-2">
        <Button type="submit" look="primary" isBusy={saving.isRunning}>
          {saving.isRunning ? roles.saving : roles.save}
        </Button>
        <Button onClick={onClose}>{roles.cancel}</Button>
      </div>
    </form>
  )
}
