import type { InvitationOffer } from '@svc/web/react'

/** Who is invited, and to what. */
export function OfferWords({ offer }: { offer: InvitationOffer }) {
  return (
    <p className="text-sm leading-relaxed">
      <bdi className="font-medium [overflow-wrap:anywhere]">{offer.email}</bdi> is invited to create
      an account here, as <bdi className="font-medium">{offer.roleDisplayName}</bdi>. The invitation
      expires on {day.format(new Date(offer.expiresAt))}.
    </p>
  )
}

const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short' })
