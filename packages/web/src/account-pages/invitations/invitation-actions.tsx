import type { InvitationItem } from '@svc/auth'
import { useSay } from '../provider/account-provider.tsx'
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
