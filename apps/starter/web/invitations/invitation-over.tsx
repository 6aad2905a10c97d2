/** One page for whatever is wrong with a link, so that it tells nobody what the link was. */
export function InvitationOver() {
  return (
    <div>
      <h2 tabIndex={-1} className="font-medium text-lg outline-none">
        This invitation does not work
      </h2>
      <p className="mt-2 text-sm leading-relaxed">
        Open the link in your newest invitation mail. If it does not work, the invitation was used
        or cancelled, or has expired. Ask the person who invited you for another one.
      </p>
    </div>
  )
}
