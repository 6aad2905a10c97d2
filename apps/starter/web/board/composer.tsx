import type { AuthSession } from '@svc/auth'
import { TextLink } from '@svc/web/account'
import type { Notice } from '../api.ts'
import { may } from '../permissions.ts'
import { NoticeForm } from './notice-form.tsx'

interface Props {
  session: AuthSession | null
  onPosted: (notice: Notice) => void
  onFailed: () => void
}

/** The form for users who may post. Others see how they can. */
export function Composer({ session, ...rest }: Props) {
  return (
    <section aria-label="Post" className="mt-8">
      {!session && (
        <p className="rounded-xl border border-line bg-sheet p-5">
          Everyone can read the board. <TextLink href="/login">Sign in</TextLink> to post a notice.
        </p>
      )}
      {session && !may(session, 'notice:write') && <ReadersOnly />}
      {session && may(session, 'notice:write') && <NoticeForm userId={session.userId} {...rest} />}
    </section>
  )
}

function ReadersOnly() {
  return (
    <p className="mt-4 rounded-xl border border-line bg-sheet p-5">
      Your role can read notices, but not post them.
    </p>
  )
}
