import { authApi, type RoleItem } from '@svc/auth'
import { Button, Field, Outcome, Select } from '@svc/web/account'
import { useAction } from '@svc/web/react'
import { type FormEvent, useState } from 'react'
import { roleRefusal } from './role-refusal.ts'

/** Gives an account another role. */
export function GiveRoleForm({ roles }: { roles: RoleItem[] }) {
  const [userId, setUserId] = useState('')
  const [role, setRole] = useState('user')
  const [done, setDone] = useState('')
  const giving = useAction(async () => {
    setDone('')
    await authApi.updateUserRole.call({ params: { userId: userId.trim() }, body: { role } })
    setDone(`The account has the role ${role} now.`)
    setUserId('')
  })

  function submit(event: FormEvent) {
    event.preventDefault()
    if (userId.trim()) void giving.run()
  }

  return (
    <form noValidate onSubmit={submit} className="grid gap-3">
      <div className="grid gap-x-4 gap-y-3 sm:grid-cols-[1fr_14rem]">
        <Field
          label="User id"
          hint="It stands on the person’s own Account page."
          name="userId"
          autoComplete="off"
          spellCheck={false}
          value={userId}
          onChange={(event) => setUserId(event.target.value)}
        />
        <Select label="Role" value={role} onChange={(event) => setRole(event.target.value)}>
          {roles.map(({ name, displayName }) => (
            <option key={name} value={name}>
              {displayName}
            </option>
          ))}
        </Select>
      </div>
      <Outcome problem={giving.error === null ? '' : roleRefusal(giving.error)} done={done} />
      <div>
        <Button type="submit" isBusy={giving.isRunning}>
          {giving.isRunning ? 'Giving…' : 'Give role'}
        </Button>
      </div>
    </form>
  )
}
