import { useRef, useState } from 'react'
import type { Notice } from '../api.ts'
import type { Session } from '../sign-in/session.ts'
import { SignInForm } from '../sign-in/sign-in-form.tsx'
import { OwnerUnknown, SignInImpossible } from '../sign-in/sign-in-unavailable.tsx'
import { SignedInAs } from '../sign-in/signed-in-as.tsx'
import { useSession } from '../sign-in/use-session.ts'
import { NoticeForm } from './notice-form.tsx'
import { ReadersOnly } from './readers-only.tsx'

interface Props {
  onPosted: (notice: Notice) => void
  onFailed: () => void
}

/** Where those write who may; for others, the way there. */
export function Composer({ onPosted, onFailed }: Props) {
  const { found, look, signIn, signOut, noteFailure } = useSession()
  // Here, so that who has to sign in again still finds it.
  const [text, setText] = useState('')
  const section = useRef<HTMLElement>(null)
  // What had the focus is gone: a keyboard goes on from here.
  const focus = () => section.current?.focus()

  function contents() {
    if (found.state === 'looking') return <div className="min-h-56" />
    if (found.state === 'impossible') return <SignInImpossible because={found.because} />
    if (found.state === 'unknown') {
      return <OwnerUnknown because={found.because} onRetry={() => void look()} />
    }
    if (found.state === 'signed out') {
      return (
        <SignInForm because={found.because} signIn={(...given) => signIn(...given).then(focus)} />
      )
    }
    return (
      <>
        <SignedInAs session={found.session} signOut={(session) => signOut(session).then(focus)} />
        {form(found.session)}
      </>
    )
  }

  function form({ api, me }: Session) {
    if (!me.permissions.includes('notice:write')) return <ReadersOnly role={me.role} />
    const noteAndAsk = (error: unknown) => {
      noteFailure(error)
      onFailed()
    }
    return <NoticeForm {...{ api, text, setText, onPosted }} onFailed={noteAndAsk} />
  }

  return (
    <section ref={section} tabIndex={-1} aria-label="Post" className="mt-8 outline-none">
      {contents()}
    </section>
  )
}
