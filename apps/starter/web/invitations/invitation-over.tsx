/** One page for whatever is wrong with a link, so that it tells nobody what the link was. */
export function InvitationOver() {
  return (
    <div>
      <h2 tabIndex={-1} className="font-medium text-lg outline-none">
        There is no invitation here
      </h2>
      <p className="mt-2 text-sm leading-relaxed">
        Open the link in your mail. If you came from there, it was used, has expired or was taken
        back, or a newer one was sent: ask whoever invited you.
      </p>
    </div>
  )
}
