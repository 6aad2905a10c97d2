import { browserSupportsWebAuthnAutofill, WebAuthnAbortService } from '@simplewebauthn/browser'
import { authApi, type PasskeyItem, type ProxiedLoginResult } from '@svc/auth'
import { useCallback, useEffect, useState } from 'react'
import { type Assertion, askPasskey, makePasskey, usePasskeySupport } from './passkey-ceremony.ts'
import { useAction } from './use-action.ts'
import { useInitialLoad } from './use-initial-load.ts'

interface UsePasskeysOptions {
  /** What the server found when it rendered the page. */
  initial?: PasskeyItem[]
  /** A passkey has changed, for example whether it counts as a second factor. */
  onChanged?: () => void
  api?: Pick<
    typeof authApi,
    | 'listPasskeys'
    | 'passkeyRegisterOptions'
    | 'passkeyRegisterVerify'
    | 'renamePasskey'
    | 'revokePasskey'
    | 'mfaMarkPasskey'
  >
}

/**
 * The passkeys of the signed-in user. `adding` takes a label, which may be empty, and opens the
 * browser's dialog; `renaming` takes `{ passkeyId, label }`, `removing` an id, and `marking` `{
 * passkeyId, secondFactor }`.
 */
export function usePasskeys({ initial, onChanged, api = authApi }: UsePasskeysOptions = {}) {
  const isSupported = usePasskeySupport()
  const [passkeys, setPasskeys] = useState<PasskeyItem[] | null>(initial ?? null)
  const change = (changed: (before: PasskeyItem[]) => PasskeyItem[]) => {
    setPasskeys((before) => changed(before ?? []))
    onChanged?.()
  }
  const put = (given: Pick<PasskeyItem, 'passkeyId'> & Partial<PasskeyItem>) =>
    change((before) =>
      before.map((each) => (each.passkeyId === given.passkeyId ? { ...each, ...given } : each)),
    )

  const loading = useAction(async () => {
    setPasskeys((await api.listPasskeys.call({ body: {} })).passkeys)
  })
  const adding = useAction(async (label: string = '') => {
    const response = await makePasskey(await api.passkeyRegisterOptions.call({ body: {} }))
    if (!response) return null
    const body = { response, ...(label && { label }) }
    const added = await api.passkeyRegisterVerify.call({ body })
    change((before) => [...before, added])
    return added
  })
  const renaming = useAction(async (body: { passkeyId: string; label: string }) => {
    put(await api.renamePasskey.call({ body }))
    return body.passkeyId
  })
  const removing = useAction(async (passkeyId: string) => {
    await api.revokePasskey.call({ body: { passkeyId } })
    change((before) => before.filter((each) => each.passkeyId !== passkeyId))
    return passkeyId
  })
  const marking = useAction(async (mark: { passkeyId: string; secondFactor: boolean }) => {
    const status = await api.mfaMarkPasskey.call({ body: mark })
    put(mark)
    return status
  })

  const { run: load } = loading
  useInitialLoad(load, initial)

  return { isSupported, passkeys, loading, adding, renaming, removing, marking, reload: load }
}

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

// The API refuses an answer after its time limit, and a sign-in page may stay open for hours.
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
    // The user hasn't asked for anything yet, so there is no failure to show.
    return null
  } finally {
    over.removeEventListener('abort', end)
  }
}
