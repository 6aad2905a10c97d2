import { authApi, type RoleItem } from '@svc/auth'
import { Button, Field, Outcome, PermissionBoxes } from '@svc/web/account'
import { useAction } from '@svc/web/react'
import { type FormEvent, useState } from 'react'
import { permissionWords } from '../permissions.ts'
import { roleRefusal } from './role-refusal.ts'

interface Props {
  permissions: string[]
  onCreated: (role: RoleItem) => void
}

const empty = { name: '', displayName: '', priority: '10' }

export function NewRoleForm({ permissions, onCreated }: Props) {
  const [given, setGiven] = useState(empty)
  const [chosen, setChosen] = useState<string[]>([])
  const [done, setDone] = useState('')
  const creating = useAction(async () => {
    setDone('')
    const { role } = await authApi.createAdminRole.call({ body: bodyOf(given, chosen) })
    onCreated(role)
    setDone(`The role “${role.displayName}” is created.`)
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
        <Field label="Name" hint="For code, such as editor." {...input('name')} />
        <Field label="Display name" hint="For people, such as Editor." {...input('displayName')} />
        <Field
          label="Priority"
          hint="Lower than the priority of your own role."
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
      <Outcome problem={creating.error === null ? '' : roleRefusal(creating.error)} done={done} />
      <div>
        <Button type="submit" look="primary" isBusy={creating.isRunning}>
          {creating.isRunning ? 'Creating…' : 'Create role'}
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
