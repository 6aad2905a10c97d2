import type { AuthSession } from '@svc/auth'
import type { Notice } from '../api.ts'
import { may } from '../permissions.ts'
import { Linked, useWords } from '../words/languages.tsx'
import { NoticeForm } from './notice-form.tsx'

interface Props {
  session: AuthSession | null
  onPosted: (notice: Notice) => void
  onFailed: () => void
}

/** The form for users who may post. Others see how they can. */
export function Composer({ session, ...rest }: Props) {
  const board = useWords('board')
  return (
    <section aria-label={board.composer} className="mt-8">
      {!session && (
        <p className="rounded-xl border border-line bg-sheet p-5">
          <Linked words={board.signInToPost} isAlone href="/login" />
        </p>
      )}
      {session && !may(session, 'notice:write') && <ReadersOnly />}
      {session && may(session, 'notice:write') && <NoticeForm userId={session.userId} {...rest} />}
    </section>
  )
}

function ReadersOnly() {
  const board = useWords('board')
  return <p className="mt-4 rounded-xl border border-line bg-sheet p-5">{board.readersOnly}</p>
}
