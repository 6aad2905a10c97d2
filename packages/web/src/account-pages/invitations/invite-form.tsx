import type { RoleItem } from '@svc/auth'
import { useRouter } from 'next/navigation.js'
import { type FormEvent, useState } from 'react'
import { useInvitations } from '../../account/use-invitations.ts'
import { useAccount } from '../provider/account-provider.tsx'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { Outcome } from '../ui/outcome.tsx'
import { TextLink } from '../ui/text-link.tsx'
import { invitationRefusal } from './invitation-refusal.ts'
import { RoleField } from './role-field.tsx'
import { roleWords } from './role-words.ts'

interface Props {
  roles: RoleItem[] | null
  /** What came of it: kept by the parent, which knows when it is no longer true. */
  invited: string
  onInvited: (words: string) => void
}

const defaultRole = 'user'

/** Invites an address into a role. */
export function InviteForm({ roles, invited, onInvited }: Props) {
  const { say, mailboxUrl } = useAccount()
  const router = useRouter()
  const { creating } = useInvitations()
  const [email, setEmail] = useState('')
  const [role, setRole] = useState(defaultRole)

  async function submit(event: FormEvent) {
    event.preventDefault()
    onInvited('')
    const made = await creating.run({ email: email.trim(), role: role.trim() })
    if (!made) return
    onInvited(
      say('We sent an invitation as {role} to {email}.', {
        role: roleWords(say, made.role, roles),
        email: made.email,
      }),
    )
    setEmail('')
    setRole(defaultRole)
    router.refresh()
  }

  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="svc-stack svc-stack-3">
      <div className="svc-form-columns svc-form-columns-wide">
        <Field
          label={say('Email')}
          name="email"
          type="email"
          autoComplete="off"
          value={email}
          onChange={(event) => setEmail(event.target.value)}
        />
        <RoleField {...{ roles, role }} onRole={setRole} />
      </div>
      <Outcome
        problem={creating.error ? invitationRefusal(say, creating.error) : ''}
        done={invited}
      />
      {invited && mailboxUrl && (
        <p className="svc-note">
          {say.nodes('In development, open <link>the mailbox</link>.', {
            link: (text) => <TextLink href={mailboxUrl}>{text}</TextLink>,
          })}
        </p>
      )}
      <div>
        <Button type="submit" look="primary" isBusy={creating.isRunning}>
          {creating.isRunning ? say('Inviting…') : say('Invite')}
        </Button>
      </div>
    </form>
  )
}
