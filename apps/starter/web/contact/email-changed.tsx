import { TextLink } from '../ui/text-link.tsx'

/** What has come of it, and where the way back is. */
export function EmailChanged({ before, now }: { before: string; now: string }) {
  return (
    <div className="grid gap-3 text-sm leading-relaxed">
      <h2 tabIndex={-1} className="font-medium text-lg outline-none">
        Your email is changed
      </h2>
      <p>
        From now on you sign in with <strong className="font-medium break-words">{now}</strong>, and
        messages go there.
      </p>
      {before && (
        <p className="text-faded">
          A notice is on its way to <span className="break-words text-ink">{before}</span>. The link
          in it takes the change back, for 72 hours, in case it was not you.
        </p>
      )}
      <p>
        <TextLink href="/account">Back to your profile</TextLink>
      </p>
    </div>
  )
}
