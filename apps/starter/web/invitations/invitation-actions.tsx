import type { InvitationItem } from '@svc/auth'
import { Button } from '../ui/button.tsx'
import { ConfirmButton } from '../ui/confirm-button.tsx'

export interface Actions {
  invitation: InvitationItem
  isBusy: boolean
  mayInvite: boolean
  mayDelete: boolean
  onResend: () => void
  onCancel: () => void
  onDelete: () => void
}

/** What can be done about an invitation. A question takes the place of all the buttons. */
export function InvitationActions({ invitation, isBusy, mayInvite, mayDelete, ...on }: Actions) {
  const { email, status } = invitation
  const isWaiting = status === 'pending'
  const of = <span className="sr-only"> the invitation of {email}</span>
  return (
    <div className="flex flex-wrap items-start gap-2 has-data-asking:basis-full [&:has([data-asking])>button]:hidden">
      {isWaiting && mayInvite && (
        <>
          <Button isBusy={isBusy} onClick={on.onResend}>
            Send again{of}
          </Button>
          <ConfirmButton
            isBusy={isBusy}
            question={`Cancel the invitation? The link sent to ${email} stops working.`}
            confirm="Yes, cancel it"
            cancel="Keep it"
            onConfirm={on.onCancel}
          >
            Cancel invitation{of}
          </ConfirmButton>
        </>
      )}
      {!isWaiting && mayDelete && (
        <ConfirmButton
          isBusy={isBusy}
          question={`Delete the invitation of ${email} permanently? An account created with it stays.`}
          confirm="Delete it"
          cancel="Keep it"
          onConfirm={on.onDelete}
        >
          Delete{of}
        </ConfirmButton>
      )}
    </div>
  )
}
