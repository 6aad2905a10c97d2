import type { RoleItem } from '@svc/auth'
import { useInvitations } from '@svc/web/react'
import { useRouter } from 'next/navigation'
import { type FormEvent, useState } from 'react'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { Outcome } from '../ui/outcome.tsx'
import { invitationRefusal } from './invitation-refusal.ts'
import { RoleField } from './role-field.tsx'

/** Invites an address into a role. */
export function InviteForm({ roles }: { roles: RoleItem[] | null }) {
  const router = useRouter()
  const { creating } = useInvitations()
  const [email, setEmail] = useState('')
  const [role, setRole] = useState('user')
  const [done, setDone] = useState('')

  async function submit(event: FormEvent) {
    event.preventDefault()
    setDone('')
    const invited = await creating.run({ email: email.trim(), role: role.trim() })
    if (!invited) return
    setDone(`An invitation is on its way to ${invited.email}.`)
    setEmail('')
    router.refresh()
  }

  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="grid gap-3">
      <div className="grid gap-x-4 gap-y-3 sm:grid-cols-[1fr_14rem]">
        <Field
          label="Email"
          name="email"
          type="email"
          autoComplete="off"
          value={email}
          onChange={(event) => setEmail(event.target.value)}
        />
        <RoleField {...{ roles, role }} onRole={setRole} />
      </div>
      <Outcome problem={creating.error ? invitationRefusal(creating.error) : ''} done={done} />
      <div>
        <Button type="submit" look="primary" isBusy={creating.isRunning}>
          {creating.isRunning ? 'Inviting…' : 'Invite'}
        </Button>
      </div>
    </form>
  )
}
