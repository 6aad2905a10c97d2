import type { InvitationItem } from '@svc/auth'
import { useRouter } from 'next/navigation.js'
import { useRef, useState } from 'react'
import { useInvitations } from '../../account/use-invitations.ts'
import { useSay } from '../provider/account-provider.tsx'
import { invitationRefusal } from './invitation-refusal.ts'

/** What can be done about the invitations of a list, and what came of it. */
export function useInvitationList(onAct: () => void) {
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
      // The button that had the focus may be gone with its invitation.
      list.current?.focus()
      // Where it was refused, another user has changed what the list shows.
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
