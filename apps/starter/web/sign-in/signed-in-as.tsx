import { useState } from 'react'
import type { Session } from './session.ts'

interface Props {
  session: Session
  signOut: (session: Session) => Promise<void>
}

export function SignedInAs({ session, signOut }: Props) {
  const [isSigningOut, setSigningOut] = useState(false)
  const [problem, setProblem] = useState('')

  async function end() {
    if (isSigningOut) return
    setSigningOut(true)
    setProblem('')
    try {
      await signOut(session)
    } catch {
      setProblem('You are still signed in, because the API did not answer. Try again in a moment.')
      setSigningOut(false)
    }
  }

  const { name, role } = session.me
  return (
    <div className="text-sm">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-1">
        <p className="min-w-0 break-words text-faded">
          Signed in as <strong className="font-medium text-ink">{name}</strong> · {role}
        </p>
        <button
          type="button"
          aria-disabled={isSigningOut}
          onClick={() => void end()}
          className="py-1 underline decoration-line underline-offset-4 hover:decoration-current aria-disabled:opacity-60"
        >
          {isSigningOut ? 'Signing out…' : 'Sign out'}
        </button>
      </div>
      <p role="alert" className="text-danger">
        {problem}
      </p>
    </div>
  )
}
