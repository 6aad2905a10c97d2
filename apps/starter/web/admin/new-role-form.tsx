import { authApi, type RoleItem } from '@svc/auth'
import { Button, Field, Outcome, PermissionBoxes, useSay } from '@svc/web/account'
import { useAction } from '@svc/web/react'
import { type FormEvent, useState } from 'react'
import { usePermissionWords, useWords } from '../words/languages.tsx'
import { fill } from '../words/words.ts'
import { roleRefusal } from './role-refusal.ts'

interface Props {
  permissions: string[]
  onCreated: (role: RoleItem) => void
}

const empty = { name: '', displayName: '', priority: '10' }

export function NewRoleForm({ permissions, onCreated }: Props) {
  const say = useSay()
  const roles = useWords('roles')
  const permissionWords = usePermissionWords()
  const [given, setGiven] = useState(empty)
  const [chosen, setChosen] = useState<string[]>([])
  const [done, setDone] = useState('')
  const creating = useAction(async () => {
    setDone('')
    const { role } = await authApi.createAdminRole.call({ body: bodyOf(given, chosen) })
    onCreated(role)
    setDone(fill(roles.created, { name: role.displayName }))
    setGiven(empty)
    setChosen([])
  })

  function submit(event: FormEvent) {
    event.preventDefault()
    void creating.run()
  }

  const input = (name: keyof typeof empty) => ({
    name,
    value: given[name],
    autoComplete: 'off',
    onChange: (event: { target: HTMLInputElement }) =>
      setGiven((before) => ({ ...before, [name]: event.target.value })),
  })
  return (
    <form noValidate onSubmit={submit} className="grid gap-3">
      <div className="grid gap-x-4 gap-y-3 sm:grid-cols-[1fr_1fr_7rem]">
        <Field label={roles.name} hint={roles.nameHint} {...input('name')} />
        <Field label={roles.displayName} hint={roles.displayNameHint} {...input('displayName')} />
        <Field
          label={roles.priority}
          hint={roles.priorityHint}
          type="number"
          min={0}
          {...input('priority')}
        />
      </div>
      <PermissionBoxes
        names={permissions}
        words={permissionWords}
        chosen={chosen}
        onChoose={setChosen}
      />
      <Outcome
        problem={creating.error === null ? '' : roleRefusal({ roles, say }, creating.error)}
        done={done}
      />
      <div>
        <Button type="submit" look="primary" isBusy={creating.isRunning}>
          {creating.isRunning ? roles.creating : roles.create}
        </Button>
      </div>
    </form>
  )
}

/** Without a priority the API gives it that of a user. */
function bodyOf({ name, displayName, priority }: typeof empty, permissions: string[]) {
  return {
    name: name.trim(),
    displayName: displayName.trim(),
    ...(priority && { priority: Number(priority) }),
    permissions,
  }
}
