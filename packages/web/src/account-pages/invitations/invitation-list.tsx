import type { InvitationItem, RoleItem } from '@svc/auth'
import { useRouter } from 'next/navigation.js'
import { useRef, useState } from 'react'
import { useInvitations } from '../../account/account.ts'
import { usePaths, useSay } from '../provider/account-provider.tsx'
import { Button, Link } from '../ui/button.tsx'
import { ConfirmButton } from '../ui/confirm-button.tsx'
import { Outcome } from '../ui/outcome.tsx'
import { RelativeTime, useNow } from '../ui/relative-time.tsx'
import { expiryWords, invitationRefusal, roleWords, statusWords } from './invitation-words.ts'
import { type Listing, listingAddress } from './listing.ts'

interface InvitationListProps {
  invitations: InvitationItem[]
  roles: RoleItem[] | null
  renderedAt: number
  mayInvite: boolean
  mayDelete: boolean
  /** The user has started an action for one of them. */
  onAct: () => void
}

/** The invitations, with the actions for each. */
export function InvitationList({ invitations, renderedAt, onAct, ...given }: InvitationListProps) {
  const say = useSay()
  const now = useNow(renderedAt)
  const { list, problem, done, isBusy, resend, cancel, remove } = useInvitationList(onAct)
  return (
    <div ref={list} tabIndex={-1} className="svc-focusable">
      <div className="svc-outcome-box">
        <Outcome problem={problem} done={done} />
      </div>
      {invitations.length === 0 ? (
        <p className="svc-note svc-above-5">{say('There are no invitations here.')}</p>
      ) : (
        <ul className="svc-sheet svc-above-5">
          {invitations.map((invitation) => (
            <InvitationRow
              key={invitation.invitationId}
              {...{ ...given, invitation, now, isBusy }}
              onResend={() => void resend(invitation)}
              onCancel={() => void cancel(invitation)}
              onDelete={() => void remove(invitation)}
            />
          ))}
        </ul>
      )}
    </div>
  )
}

interface Facts {
  invitation: InvitationItem
  /** Null if the user may not see the roles. */
  roles: RoleItem[] | null
  now: number
}

/** One invitation, and the actions for it. */
function InvitationRow({ now, roles, ...actions }: Facts & Actions) {
  return (
    <li className="svc-listed">
      <div className="svc-entry svc-entry-apart">
        <InvitationFacts {...{ now, roles }} invitation={actions.invitation} />
        <InvitationActions {...actions} />
      </div>
    </li>
  )
}

function InvitationFacts({ invitation, roles, now }: Facts) {
  const say = useSay()
  const { email, role, status, createdAt } = invitation
  return (
    <div className="svc-entry-text svc-entry-text-wide">
      <h3 className="svc-entry-title svc-entry-title-close">
        <bdi className="svc-strong">{email}</bdi>
        <span
          className={`svc-badge svc-badge-tiny ${status === 'pending' ? 'svc-badge-fresh' : ''}`}
        >
          {say(statusWords[status])}
        </span>
      </h3>
      <p className="svc-note svc-above-1">
        <>
          {say.nodes('as {role} · invited {since}', {
            role: <bdi>{roleWords(say, role, roles)}</bdi>,
            since: <RelativeTime at={createdAt} now={now} />,
          })}
        </>
        {status === 'pending' && ` · ${expiryWords(say, invitation.expiresAt, now)}`}
      </p>
    </div>
  )
}

interface Actions {
  invitation: InvitationItem
  isBusy: boolean
  mayInvite: boolean
  mayDelete: boolean
  onResend: () => void
  onCancel: () => void
  onDelete: () => void
}

/** The actions for an invitation. A question replaces all the buttons. */
function InvitationActions({ invitation, isBusy, mayInvite, mayDelete, ...on }: Actions) {
  const say = useSay()
  const { email, status } = invitation
  const isWaiting = status === 'pending'
  const of = <span className="svc-hidden"> {say('the invitation of {email}', { email })}</span>
  return (
    <div className="svc-row-actions">
      {isWaiting && mayInvite && (
        <>
          <Button isBusy={isBusy} onClick={on.onResend}>
            {say('Send again')}
            {of}
          </Button>
          <ConfirmButton
            isBusy={isBusy}
            question={say('Cancel the invitation? The link sent to {email} stops working.', {
              email,
            })}
            confirm={say('Yes, cancel it')}
            cancel={say('Keep it')}
            onConfirm={on.onCancel}
          >
            {say('Cancel invitation')}
            {of}
          </ConfirmButton>
        </>
      )}
      {!isWaiting && mayDelete && (
        <ConfirmButton
          isBusy={isBusy}
          question={say(
            'Delete the invitation of {email} permanently? An account created with it stays.',
            { email },
          )}
          confirm={say('Delete it')}
          cancel={say('Keep it')}
          onConfirm={on.onDelete}
        >
          {say('Delete')}
          {of}
        </ConfirmButton>
      )}
    </div>
  )
}

interface ListingPagerProps {
  listing: Listing
  totalPages: number
}

export function ListingPager({ listing, totalPages }: ListingPagerProps) {
  const say = useSay()
  const paths = usePaths()
  const { page } = listing
  if (page === 1 && totalPages < 2) return null
  const turn = (to: number, label: string) => (
    <Link
      href={listingAddress(paths.invitations, { ...listing, page: to })}
      prefetch={false}
      className="svc-button svc-button-plain"
    >
      {label}
    </Link>
  )
  return (
    <nav aria-label={say('Pages')} className="svc-pager">
      {page > 1 ? turn(page - 1, say('← Newer')) : <span />}
      {page < totalPages ? turn(page + 1, say('Older →')) : <span />}
    </nav>
  )
}

/** The actions for the invitations of a list, and the result of the last one. */
function useInvitationList(onAct: () => void) {
  const say = useSay()
  const router = useRouter()
  const { resending, cancelling, deleting } = useInvitations()
  const [done, setDone] = useState('')
  const list = useRef<HTMLDivElement>(null)

  const act =
    ({ run }: { run: (invitationId: string) => Promise<unknown> }, words: (to: string) => string) =>
    async ({ invitationId, email }: InvitationItem) => {
      onAct()
      setDone('')
      for (const action of [resending, cancelling, deleting]) action.reset()
      if (await run(invitationId)) setDone(words(email))
      // The button that had the focus may disappear with its invitation.
      list.current?.focus()
      // If it was refused, another user has changed the list.
      router.refresh()
    }

  const error = resending.error ?? cancelling.error ?? deleting.error
  return {
    list,
    done,
    problem: error ? invitationRefusal(say, error) : '',
    isBusy: resending.isRunning || cancelling.isRunning || deleting.isRunning,
    resend: act(resending, (to) =>
      say('We sent a new link to {to}. The old one no longer works.', { to }),
    ),
    cancel: act(cancelling, (to) =>
      say('The invitation of {to} is cancelled. Its link no longer works.', { to }),
    ),
    remove: act(deleting, (to) => say('The invitation of {to} is deleted.', { to })),
  }
}
