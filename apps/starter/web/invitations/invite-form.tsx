import type { RoleItem } from '@svc/auth'
import { useInvitations } from '@svc/web/react'
import { useRouter } from 'next/navigation'
import { type FormEvent, useState } from 'react'
import { MailboxLink } from '../links/mailbox-link.tsx'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { Outcome } from '../ui/outcome.tsx'
import { invitationRefusal } from './invitation-refusal.ts'
import { RoleField } from './role-field.tsx'
import { roleWords } from './role-words.ts'

interface Props {
  roles: RoleItem[] | null
  /** What came of it: kept by whoever knows when it is not true any more. */
  invited: string
  onInvited: (words: string) => void
}

const defaultRole = 'user'

/** Invites an address into a role. */
export function InviteForm({ roles, invited, onInvited }: Props) {
  const router = useRouter()
  const { creating } = useInvitations()
  const [email, setEmail] = useState('')
  const [role, setRole] = useState(defaultRole)

  async function submit(event: FormEvent) {
    event.preventDefault()
    onInvited('')
    const made = await creating.run({ email: email.trim(), role: role.trim() })
    if (!made) return
    onInvited(`We sent an invitation as ${roleWords(made.role, roles)} to ${made.email}.`)
    setEmail('')
    setRole(defaultRole)
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
      <Outcome problem={creating.error ? invitationRefusal(creating.error) : ''} done={invited} />
      {invited && (
        <p className="text-faded text-sm">
          In development, open <MailboxLink />.
        </p>
      )}
      <div>
        <Button type="submit" look="primary" isBusy={creating.isRunning}>
          {creating.isRunning ? 'Inviting…' : 'Invite'}
        </Button>
      </div>
    </form>
  )
}
