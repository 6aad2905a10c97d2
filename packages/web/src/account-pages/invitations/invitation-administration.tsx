'use client'

import type { InvitationItem, RoleItem } from '@svc/auth'
import { useRouter } from 'next/navigation.js'
import { type FormEvent, type ReactNode, Suspense, useState } from 'react'
import { useInvitations } from '../../account/account.ts'
import { useAccount, usePaths, useSay } from '../provider/account-provider.tsx'
import { AccountPage } from '../ui/account-page.tsx'
import { Button, TextLink } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { LinkTabs } from '../ui/link-tabs.tsx'
import { Outcome } from '../ui/outcome.tsx'
import { Panel, Skeleton } from '../ui/page.tsx'
import type { PageSlots } from '../ui/page-slots.ts'
import { Select } from '../ui/select.tsx'
import { InvitationList, ListingPager } from './invitation-list.tsx'
import { invitationRefusal, roleWords, statusWords } from './invitation-words.ts'
import { type Listing, listingAddress, statuses } from './listing.ts'

interface InvitationsViewProps extends PageSlots {
  /** An `InvitationAdministration`. */
  children: ReactNode
}

/** Invites people, and lists the invitations. */
export function InvitationsView({ children, ...slots }: InvitationsViewProps) {
  const say = useSay()
  return (
    <AccountPage
      title={say('Invitations')}
      about={say(
        'We email a link to the person you invite. With it they create an account that has the role you choose.',
      )}
      {...slots}
    >
      <Suspense fallback={<Skeleton label={say('Loading the invitations…')} />}>
        {children}
      </Suspense>
    </AccountPage>
  )
}

interface InvitationAdministrationProps {
  listing: Listing
  invitations: InvitationItem[]
  totalPages: number
  renderedAt: number
  /** Null if the user may not see the roles. */
  roles: RoleItem[] | null
  mayInvite: boolean
  mayDelete: boolean
}

/**
 * The form that invites an address, and the list of invitations. `InvitationsPage` loads its data.
 */
export function InvitationAdministration({
  listing,
  roles,
  mayInvite,
  ...list
}: InvitationAdministrationProps) {
  const say = useSay()
  const paths = usePaths()
  const [invited, setInvited] = useState('')
  return (
    <div className="svc-stack svc-stack-6">
      {mayInvite && (
        <Panel title={say('Invite someone')} about={say('The link works once, within seven days.')}>
          <InviteForm {...{ roles, invited }} onInvited={setInvited} />
        </Panel>
      )}
      <section>
        <h2 className="svc-title">{say('Sent invitations')}</h2>
        <LinkTabs
          label={say('Which invitations')}
          current={listingAddress(paths.invitations, { ...listing, page: 1 })}
          tabs={[undefined, ...statuses].map((status) => ({
            href: listingAddress(paths.invitations, { ...(status && { status }), page: 1 }),
            label: say(status ? statusWords[status] : 'All'),
          }))}
        />
        <InvitationList
          key={listingAddress(paths.invitations, listing)}
          {...{ ...list, roles, mayInvite }}
          onAct={() => setInvited('')}
        />
        <ListingPager listing={listing} totalPages={list.totalPages} />
      </section>
    </div>
  )
}

interface InviteFormProps {
  roles: RoleItem[] | null
  /** The result. The parent keeps it, because it knows when it is no longer true. */
  invited: string
  onInvited: (words: string) => void
}

const defaultRole = 'user'

/** Invites an address into a role. */
function InviteForm({ roles, invited, onInvited }: InviteFormProps) {
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

interface RoleFieldProps {
  roles: RoleItem[] | null
  role: string
  onRole: (role: string) => void
}

/**
 * A choice of roles, or a field for the name of one if the user may not see the roles. The API
 * refuses a role that the user may not give.
 */
function RoleField({ roles, role, onRole }: RoleFieldProps) {
  const say = useSay()
  if (!roles) {
    return (
      <Field
        label={say('Role')}
        name="role"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        value={role}
        onChange={(event) => onRole(event.target.value)}
        hint={say('The name of a role with less priority than yours.')}
      />
    )
  }
  return (
    <Select label={say('Role')} value={role} onChange={(event) => onRole(event.target.value)}>
      {roles.map(({ name, displayName }) => (
        <option key={name} value={name}>
          {displayName}
        </option>
      ))}
    </Select>
  )
}
