import { usePaths, useSay } from '../provider/account-provider.tsx'
import { TextLink } from '../ui/text-link.tsx'

/** What has come of it, and where the way back is. */
export function EmailChanged({ before, now }: { before: string; now: string }) {
  const paths = usePaths()
  const say = useSay()
  return (
    <div className="svc-stack svc-stack-3 svc-paragraph">
      <h2 tabIndex={-1} className="svc-title">
        {say('Your email is changed')}
      </h2>
      <p>
        {say.nodes('You now sign in with {now} and get messages there.', {
          now: <strong className="svc-strong svc-break">{now}</strong>,
        })}
      </p>
      {before && (
        <p className="svc-faded">
          {say.nodes(
            'We sent a notice to {before}. If you did not make this change, the link in it undoes it within 72 hours.',
            { before: <span className="svc-ink svc-break">{before}</span> },
          )}
        </p>
      )}
      <p>
        <TextLink href={paths.profile}>{say('Back to your profile')}</TextLink>
      </p>
    </div>
  )
}
