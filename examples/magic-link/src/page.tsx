'use client'

import { createAuthApi } from '@svc/auth'
import { useState } from 'react'
import { magicLinkClient } from './client.ts'
import { InvalidMagicLinkError } from './errors.ts'

const api = createAuthApi({ clients: [magicLinkClient], proxy: '/api/rpc' })

export interface MagicLinkPageProps {
  /** From the address of the page: `?token=…`. */
  token: string
  /** Where the app goes next: to a page, or first to the page for the second step of a sign-in. */
  onSignedIn: (next: { mfaRequired: boolean }) => void
}

/** The page that the mail leads to. Mail programs open links too, so the page does nothing before its button. */
export function MagicLinkPage({ token, onSignedIn }: MagicLinkPageProps) {
  const [problem, setProblem] = useState('')
  const [isBusy, setBusy] = useState(false)

  async function signIn() {
    setBusy(true)
    setProblem('')
    try {
      const { mfaRequired } = await api.signInByMagicLink.call({ body: { token } })
      onSignedIn({ mfaRequired })
    } catch (error) {
      setProblem(problemOf(error))
    } finally {
      setBusy(false)
    }
  }

  return (
    <main>
      <h1>Sign in on this device</h1>
      <p role="alert">{problem}</p>
      <button type="button" disabled={isBusy} onClick={() => void signIn()}>
        Sign in
      </button>
    </main>
  )
}

function problemOf(error: unknown) {
  return error instanceof InvalidMagicLinkError
    ? 'This link was used, or has expired. Request a new one.'
    : 'You could not be signed in. Try again.'
}
