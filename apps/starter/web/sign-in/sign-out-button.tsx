'use client'

import { useSignOut } from '@svc/web/react'
import { useRouter } from 'next/navigation'

export function SignOutButton() {
  const router = useRouter()
  const signOut = useSignOut({
    onSignedOut: () => {
      router.push('/')
      router.refresh()
    },
  })
  return (
    <>
      <button
        type="button"
        aria-disabled={signOut.isRunning}
        onClick={() => void signOut.run()}
        className="py-1 text-faded underline decoration-line underline-offset-4 hover:text-ink hover:decoration-current aria-disabled:opacity-60"
      >
        {signOut.isRunning ? 'Signing out…' : 'Sign out'}
      </button>
      {signOut.error !== null && (
        <span role="alert" className="text-danger">
          You are still signed in: the API did not answer.
        </span>
      )}
    </>
  )
}
