import { TextLink } from '../ui/text-link.tsx'

/** What has come of it, and where the way back is. */
export function EmailChanged({ before, now }: { before: string; now: string }) {
  return (
    <div className="grid gap-3 text-sm leading-relaxed">
      <h2 tabIndex={-1} className="font-medium text-lg outline-none">
        Your email is changed
      </h2>
      <p>
        You now sign in with <strong className="font-medium break-words">{now}</strong> and get
        messages there.
      </p>
      {before && (
        <p className="text-faded">
          We sent a notice to <span className="break-words text-ink">{before}</span>. If you did not
          make this change, the link in it undoes it within 72 hours.
        </p>
      )}
      <p>
        <TextLink href="/account">Back to your profile</TextLink>
      </p>
    </div>
  )
}
