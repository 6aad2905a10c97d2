import { browserSupportsWebAuthnAutofill, WebAuthnAbortService } from '@simplewebauthn/browser'
import { authApi, type PasskeyItem, type ProxiedLoginResult } from '@svc/auth'
import { useCallback, useEffect, useState } from 'react'
import { type Assertion, askPasskey, makePasskey, usePasskeySupport } from './passkey-ceremony.ts'
import { useAction } from './use-action.ts'
import { useInitialLoad } from './use-initial-load.ts'

interface UsePasskeysOptions {
  /** What the server found when it rendered the page. */
  initial?: PasskeyItem[]
  /** Something has changed, such as what counts as a second factor. */
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
 * The passkeys of whoever is signed in. `adding` takes a label, which may be empty, and opens the browser's dialog;
 * `renaming` takes `{ passkeyId, label }`, `removing` an id, and `marking` `{ passkeyId, secondFactor }`.
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
