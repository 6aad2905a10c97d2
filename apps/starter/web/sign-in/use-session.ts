import { DeviceKeyError } from '@svc/auth'
import { ForbiddenError } from '@svc/core/client'
import { useCallback, useEffect, useState } from 'react'
import { isKeyDead } from './is-key-dead.ts'
import { endSession, findSession, type Session, startSession } from './session.ts'
import { signInFailure } from './sign-in-failure.ts'

type Found =
  | { state: 'looking' }
  | { state: 'signed out'; because: string }
  | { state: 'signed in'; session: Session }
  /** There is a key, and nobody says whose it is. */
  | { state: 'unknown'; because: string }
  /** This page can make or keep no key. */
  | { state: 'impossible'; because: string }

const ended = 'This device is no longer signed in.'
const plainHttp =
  'Signing in makes a key on this device, which browsers allow over https and on localhost only.'
const lookAgainMillis = 10_000

/** Who is signed in on this device. */
export function useSession() {
  const [found, setFound] = useState<Found>({ state: 'looking' })

  const look = useCallback(async () => setFound(await find()), [])

  useEffect(() => {
    void look()
  }, [look])

  useEffect(() => {
    if (found.state !== 'unknown') return undefined
    const timer = setTimeout(() => void look(), lookAgainMillis)
    return () => clearTimeout(timer)
  }, [found, look])

  async function signIn(email: string, password: string) {
    const session = await startSession(email, password)
    setFound({ state: 'signed in', session })
  }

  async function signOut(session: Session) {
    await endSession(session)
    setFound({ state: 'signed out', because: 'You are signed out.' })
  }

  /** After a refusal: has the key ended, or do its owner's permissions differ by now? */
  function noteFailure(error: unknown) {
    if (isKeyDead(error) || error instanceof ForbiddenError) void look()
  }

  return { found, look, signIn, signOut, noteFailure }
}

async function find(): Promise<Found> {
  if (!isSecureContext) return { state: 'impossible', because: plainHttp }
  try {
    const session = await findSession()
    if (session === 'ended') return { state: 'signed out', because: ended }
    return session ? { state: 'signed in', session } : { state: 'signed out', because: '' }
  } catch (error) {
    const state = error instanceof DeviceKeyError ? 'impossible' : 'unknown'
    return { state, because: signInFailure(error) }
  }
}
