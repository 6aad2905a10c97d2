import { useSay } from '../provider/account-provider.tsx'
/** One page for whatever is wrong with a link, so that it does not tell what the link was. */
export function InvitationOver() {
  const say = useSay()
  return (
    <div>
      <h2 tabIndex={-1} className="svc-title">
        {say('This invitation does not work')}
      </h2>
      <p className="svc-paragraph svc-above-2">
        {say(
          'Open the link in your newest invitation mail. If it does not work, the invitation was used or cancelled, or has expired. Ask the person who invited you for another one.',
        )}
      </p>
    </div>
  )
}
