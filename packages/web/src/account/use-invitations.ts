import { type AuthApi, authApi, InvitationNotFoundError, type ProxiedLoginResult } from '@svc/auth'
import { type AnswerOf, ValidationError } from '@svc/core/client'
import { useEffect, useState } from 'react'
import { useAction } from './use-action.ts'
import { useLinkToken } from './use-mailed-links.ts'

/** The address to invite, the role, and for how many days. */
export interface NewInvitation {
  email: string
  /** The name of the role that the new user will have. */
  role: string
  /** 1 to 30; 7 unless set. */
  expiresInDays?: number
}

interface Options {
  api?: Pick<
    typeof authApi,
    'createInvitation' | 'resendInvitation' | 'cancelInvitation' | 'deleteInvitation'
  >
}

/** Invites people, and manages invitations. Only superadmins can delete one. */
export function useInvitations({ api = authApi }: Options = {}) {
  const named = (invitationId: string) => ({ body: { invitationId } })
  const creating = useAction((body: NewInvitation) => api.createInvitation.call({ body }))
  const resending = useAction((id: string) => api.resendInvitation.call(named(id)))
  const cancelling = useAction((id: string) => api.cancelInvitation.call(named(id)))
  const deleting = useAction(async (id: string) => {
    await api.deleteInvitation.call(named(id))
    return id
  })
  return { creating, resending, cancelling, deleting }
}

/** What an invitation offers to the user who opens its link. */
export type InvitationOffer = AnswerOf<AuthApi['getInvitation']>

interface AcceptOptions {
  /** The address of the page has a `token`. */
  hasToken: boolean
  /** The account is open, and this browser is signed in to it. */
  onAccepted: (result: ProxiedLoginResult) => void
  api?: Pick<typeof authApi, 'getInvitation' | 'acceptInvitation'>
}

/**
 * - `unread`: the link is being checked, which changes nothing. If that failed, `looking` tries
 * again. - `offered`: `accepting` takes a password, and opens the account. - `over`: there is no
 * valid link.
 */
export type InvitationStage = 'unread' | 'offered' | 'over'

/** The page that a mailed invitation leads to. */
export function useAcceptInvitation({ hasToken, onAccepted, api = authApi }: AcceptOptions) {
  const token = useLinkToken()
  // When the page is rendered again, the token is no longer in its address.
  const [hadToken] = useState(hasToken)
  const [offer, setOffer] = useState<InvitationOffer | null>(null)
  const looking = useAction(async () => {
    setOffer(await api.getInvitation.call({ body: { token: token() } }))
  })
  const accepting = useAction(async (password: string) => {
    onAccepted(await api.acceptInvitation.call({ body: { token: token(), password } }))
  })
  const { run: look } = looking
  useEffect(() => {
    if (hadToken) void look()
  }, [hadToken, look])

  const isOver =
    !hadToken || isRefusal(looking.error) || accepting.error instanceof InvitationNotFoundError
  const stage: InvitationStage = isOver ? 'over' : offer ? 'offered' : 'unread'
  return { stage, offer, looking, accepting }
}

/** A token of the wrong form is refused by its schema. */
function isRefusal(error: unknown) {
  return error instanceof InvitationNotFoundError || error instanceof ValidationError
}
