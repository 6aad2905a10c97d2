import type { InvitationOffer } from '../../account/use-invitations.ts'
import { useSay } from '../provider/account-provider.tsx'

/** Who is invited, and to what. */
export function OfferWords({ offer }: { offer: InvitationOffer }) {
  const say = useSay()
  const format = new Intl.DateTimeFormat(say.dateLocale, { dateStyle: 'long', timeStyle: 'short' })
  return (
    <p className="svc-paragraph">
      {say.nodes(
        '{email} is invited to create an account here, as {role}. The invitation expires on {day}.',
        {
          email: <bdi className="svc-strong svc-break">{offer.email}</bdi>,
          role: <bdi className="svc-strong">{offer.roleDisplayName}</bdi>,
          day: format.format(new Date(offer.expiresAt)),
        },
      )}
    </p>
  )
}
