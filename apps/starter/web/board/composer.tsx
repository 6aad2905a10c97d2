import { useRef, useState } from 'react'
import type { Notice } from '../api.ts'
import { SignInForm } from '../sign-in/sign-in-form.tsx'
import { InsecurePage, OwnerUnknown } from '../sign-in/sign-in-unavailable.tsx'
import { SignedInAs } from '../sign-in/signed-in-as.tsx'
import { useSession } from '../sign-in/use-session.ts'
import { NoticeForm } from './notice-form.tsx'

interface Props {
  onPosted: (notice: Notice) => void
  onFailed: () => void
}

/** Where those write who may. */
export function Composer({ onPosted, onFailed }: Props) {
  const { found, look, signIn, signOut, noteFailure } = useSession()
  // Here, so that who has to sign in again still finds it.
  const [text, setText] = useState('')
  const section = useRef<HTMLElement>(null)
  const focus = () => section.current?.focus()

  return (
    <section
      ref={section}
      tabIndex={-1}
      aria-label="New notice"
      className="mt-8 min-h-48 outline-none"
    >
      {found.state === 'insecure' && <InsecurePage />}
      {found.state === 'unknown' && (
        <OwnerUnknown because={found.because} onRetry={() => void look()} />
      )}
      {found.state === 'signed out' && (
        <SignInForm
          because={found.because}
          signIn={(email, password) => signIn(email, password).then(focus)}
        />
      )}
      {found.state === 'signed in' && (
        <>
          <SignedInAs session={found.session} signOut={(session) => signOut(session).then(focus)} />
          {found.session.me.permissions.includes('notice:write') ? (
            <NoticeForm
              api={found.session.api}
              {...{ text, setText, onPosted }}
              onFailed={(error) => {
                noteFailure(error)
                onFailed()
              }}
            />
          ) : (
            <ReadersOnly role={found.session.me.role} />
          )}
        </>
      )}
    </section>
  )
}

function ReadersOnly({ role }: { role: string }) {
  return (
    <p className="mt-4 max-w-prose rounded-xl border border-line bg-sheet p-5">
      You can read the board and not post: the role “{role}” does not have the permission{' '}
      <code>notice:write</code>. Admins have it.
    </p>
  )
}
