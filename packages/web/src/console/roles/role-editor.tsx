import { authApi, type RoleItem } from '@svc/auth'
import { type FormEvent, useState } from 'react'
import { useAction } from '../../account/account.ts'
import {
  Button,
  Field,
  Outcome,
  PermissionBoxes,
  usePermissionWords,
  useSay,
} from '../../account-pages/account-pages.ts'
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
      method="post"
      noValidate
      onSubmit={submit}
      className="svc-question svc-stack svc-stack-3 svc-above-4"
    >
      <Field
        label={say('Display name')}
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
      {isSuperadmin && <p className="svc-note">{say('The superadmin keeps every permission.')}</p>}
      <Outcome problem={saving.error === null ? '' : roleRefusal(say, saving.error)} />
      <div className="svc-row">
        <Button type="submit" look="primary" isBusy={saving.isRunning}>
          {saving.isRunning ? say('Saving…') : say('Save')}
        </Button>
        <Button onClick={onClose}>{say('Cancel')}</Button>
      </div>
    </form>
  )
}
