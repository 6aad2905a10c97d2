import { authApi, type ProxiedLoginResult } from '@svc/auth'
import { useCallback, useEffect, useState } from 'react'
import { type Assertion, askPasskey, canOfferPasskeys, usePasskeySupport } from './ask-passkey.ts'
import { useAction } from './use-action.ts'

interface UsePasskeySignInOptions {
  /** The user is signed in. If `mfaRequired` is true, not before they prove a second factor. */
  onAnswer: (result: ProxiedLoginResult) => void | Promise<void>
  /**
   * Offers passkeys among the browser's suggestions for the email field, if the browser can do
   * that. The field needs `autoComplete="username webauthn"`.
   */
  conditional?: true
  api?: Pick<typeof authApi, 'passkeyLoginOptions' | 'passkeyLoginVerify'>
}

/**
 * Signs in with a passkey of any account. `signingIn` opens the browser's dialog. Closing it is not
 * a failure.
 */
export function usePasskeySignIn({
  onAnswer,
  conditional,
  api = authApi,
}: UsePasskeySignInOptions) {
  const isSupported = usePasskeySupport()
  const [isAnswered, setAnswered] = useState(false)
  const verifying = useAction(async (offered?: Assertion) => {
    const response = offered ?? (await askPasskey(await api.passkeyLoginOptions.call({ body: {} })))
    if (!response) return false
    const result = await api.passkeyLoginVerify.call({ body: { response } })
    setAnswered(true)
    await onAnswer(result)
    return true
  })
  const { run: verify, isRunning } = verifying
  // One dialog at a time: a click replaces the offer in the field. A signed-in user needs no offer.
  const isOffering = conditional && !isRunning && !isAnswered
  useEffect(() => {
    if (!isOffering) return undefined
    const leaving = new AbortController()
    void offerPasskeys(api, leaving.signal).then((response) => response && verify(response))
    return () => leaving.abort()
  }, [isOffering, api, verify])
  const run = useCallback(() => verify(), [verify])
  return { isSupported, signingIn: { ...verifying, run } }
}

/** Until the user picks a passkey in a field of the page, or leaves the page. */
async function offerPasskeys(
  api: NonNullable<UsePasskeySignInOptions['api']>,
  leaving: AbortSignal,
) {
  if (!(await canOfferPasskeys())) return null
  while (!leaving.aborted) {
    const options = await api.passkeyLoginOptions.call({ body: {} }).catch(() => null)
    if (!options || leaving.aborted) return null
    const response = await offerOnce(options, leaving)
    if (response !== 'too late') return response
  }
  return null
}

type Asked = Parameters<typeof askPasskey>[0]

// The API refuses an answer after its time limit, and a sign-in page may stay open for hours.
const safely = 0.9

async function offerOnce(options: Asked, leaving: AbortSignal) {
  const late = AbortSignal.timeout(options.timeout * safely)
  try {
    const response = await askPasskey(options, { offered: AbortSignal.any([late, leaving]) })
    return response ?? (late.aborted ? ('too late' as const) : null)
  } catch {
    // The user hasn't asked for anything yet, so there is no failure to show.
    return null
  }
}
