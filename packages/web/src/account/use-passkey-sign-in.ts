import { browserSupportsWebAuthnAutofill, WebAuthnAbortService } from '@simplewebauthn/browser'
import { authApi, type ProxiedLoginResult } from '@svc/auth'
import { useCallback, useEffect, useState } from 'react'
import { type Assertion, askPasskey, usePasskeySupport } from './passkey-ceremony.ts'
import { useAction } from './use-action.ts'

interface Options {
  /** Somebody is signed in; before a second factor is proved, `mfaRequired` is true and nobody is. */
  onAnswer: (result: ProxiedLoginResult) => void | Promise<void>
  /**
   * Offers passkeys among what the browser fills the email's field with, where it can. The field has
   * `autoComplete="username webauthn"`.
   */
  conditional?: true
  api?: Pick<typeof authApi, 'passkeyLoginOptions' | 'passkeyLoginVerify'>
}

/** Signs in with a passkey, whoever's it is. `signingIn` opens the browser's dialog; closing that is no failure. */
export function usePasskeySignIn({ onAnswer, conditional, api = authApi }: Options) {
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
  // One dialog at a time: a click takes the place of what is offered in the field. Whoever is in needs no offer.
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

/** Until somebody picks a passkey in a field of the page, or the page goes. */
async function offerPasskeys(api: NonNullable<Options['api']>, leaving: AbortSignal) {
  if (!(await browserSupportsWebAuthnAutofill())) return null
  while (!leaving.aborted) {
    const options = await api.passkeyLoginOptions.call({ body: {} }).catch(() => null)
    if (!options || leaving.aborted) return null
    const response = await offerOnce(options, leaving)
    if (response !== 'too late') return response
  }
  return null
}

type Asked = Parameters<typeof askPasskey>[0]

// The API takes no answer that comes after the time it has set, and a sign-in page may stand open for hours.
const safely = 0.9

async function offerOnce(options: Asked, leaving: AbortSignal) {
  const late = AbortSignal.timeout(options.timeout * safely)
  const over = AbortSignal.any([late, leaving])
  const end = () => WebAuthnAbortService.cancelCeremony()
  over.addEventListener('abort', end)
  try {
    const response = await askPasskey(options, { useBrowserAutofill: true })
    return response ?? (late.aborted ? ('too late' as const) : null)
  } catch {
    // Nobody has asked for anything yet, so that there is nobody to tell.
    return null
  } finally {
    over.removeEventListener('abort', end)
  }
}
