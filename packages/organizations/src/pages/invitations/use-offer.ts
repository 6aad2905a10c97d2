import { ValidationError } from '@svc/core/client'
import { useAction } from '@svc/web/react'
import { useEffect, useState } from 'react'
import { OrganizationInvitationNotFoundError } from '../../membership/errors.ts'
import { type InvitationOffer, organizationApi } from '../organization-api.ts'

/** What an invitation offers. It is read in the browser, so that the limit counts the visitor. */
export function useOffer(token: string) {
  const [offer, setOffer] = useState<InvitationOffer | null>(null)
  const { run, error } = useAction(async () => {
    setOffer(await organizationApi.getOrganizationInvitation.call({ body: { token } }))
  })
  useEffect(() => void run(), [run])
  // A token of the wrong form is refused by its schema.
  const isOver =
    error instanceof OrganizationInvitationNotFoundError || error instanceof ValidationError
  return { offer, isRead: offer !== null || error !== null, isOver }
}
