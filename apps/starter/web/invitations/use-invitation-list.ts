import type { InvitationItem } from '@svc/auth'
import { useInvitations } from '@svc/web/react'
import { useRouter } from 'next/navigation'
import { useRef, useState } from 'react'
import { invitationRefusal } from './invitation-refusal.ts'

/** What can be done about the invitations of a list, and what came of it. */
export function useInvitationList(onAct: () => void) {
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
      // Where it was refused, somebody else has changed what the list shows.
      router.refresh()
    }

  const error = resending.error ?? cancelling.error ?? deleting.error
  return {
    list,
    done,
    problem: error ? invitationRefusal(error) : '',
    isBusy: resending.isRunning || cancelling.isRunning || deleting.isRunning,
    resend: act(resending, (to) => `We sent a new link to ${to}. The old one no longer works.`),
    cancel: act(
      cancelling,
      (to) => `The invitation of ${to} is cancelled. Its link no longer works.`,
    ),
    remove: act(deleting, (to) => `The invitation of ${to} is deleted.`),
  }
}
