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
  permissions: string[]
  onCreated: (role: RoleItem) => void
}

const empty = { name: '', displayName: '', priority: '10' }

export function NewRoleForm({ permissions, onCreated }: Props) {
  const say = useSay()
  const permissionWords = usePermissionWords()
  const [given, setGiven] = useState(empty)
  const [chosen, setChosen] = useState<string[]>([])
  const [done, setDone] = useState('')
  const creating = useAction(async () => {
    setDone('')
    const { role } = await authApi.createAdminRole.call({ body: bodyOf(given, chosen) })
    onCreated(role)
    setDone(say('The role “{name}” is created.', { name: role.displayName }))
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
    <form method="post" noValidate onSubmit={submit} className="svc-stack svc-stack-3">
      <div className="svc-form-columns">
        <Field
          label={say('Name')}
          hint={say(
            'A name starts with a letter, and has at most 64 letters, digits, “.”, “_” and “-”.',
          )}
          {...input('name')}
        />
        <Field
          label={say('Display name')}
          hint={say('A display name has 1 to 100 characters.')}
          {...input('displayName')}
        />
        <Field
          label={say('Priority')}
          hint={say('A priority is a whole number, 0 or more.')}
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
        problem={creating.error === null ? '' : roleRefusal(say, creating.error)}
        done={done}
      />
      <div>
        <Button type="submit" look="primary" isBusy={creating.isRunning}>
          {creating.isRunning ? say('Creating…') : say('Create role')}
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
