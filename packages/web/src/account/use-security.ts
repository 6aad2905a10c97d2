import { authApi, type ProxiedLoginResult, type SessionBinding } from '@svc/auth'
import { useState } from 'react'
import { askPasskey, usePasskeySupport } from './ask-passkey.ts'
import { useAction } from './use-action.ts'
import { useInitialLoad } from './use-initial-load.ts'

interface Given<Name extends keyof typeof authApi> {
  onDone?: () => void
  api?: Pick<typeof authApi, Name>
}

/** Sets a new password. Every other device is signed out; this one stays signed in. */
export function useChangePassword({ onDone, api = authApi }: Given<'changePassword'> = {}) {
  return useAction(async (body: { currentPassword?: string; newPassword: string }) => {
    await api.changePassword.call({ body })
    onDone?.()
    return true
  })
}

/** Replaces the key of this device, and returns until when the new one signs. */
export function useRotateKey({ onDone, api = authApi }: Given<'rotateKey'> = {}) {
  return useAction(async () => {
    const { expiresAtMillis } = await api.rotateKey.call({ body: {} })
    onDone?.()
    return expiresAtMillis
  })
}

/** Signs every device of the account out, including this one. */
export function useSignOutEverywhere({ onDone, api = authApi }: Given<'revokeAllKeys'> = {}) {
  return useAction(async () => {
    const { revokedCount } = await api.revokeAllKeys.call({ body: { includeCurrent: true } })
    onDone?.()
    return revokedCount
  })
}

interface BindingOptions {
  /** What the server found when it rendered the page. */
  initial?: SessionBinding
  api?: Pick<
    typeof authApi,
    'getSessionBinding' | 'setSessionBinding' | 'sessionBindingDisableOptions'
  >
}

/**
 * Whether this session needs a passkey to go on. `turningOn` binds it to the passkeys of the
 * account. `turningOff` opens the browser's dialog, because a thief who has only the device must
 * not end the binding.
 */
export function useSessionBinding({ initial, api = authApi }: BindingOptions = {}) {
  const isSupported = usePasskeySupport()
  const [binding, setBinding] = useState<SessionBinding | null>(initial ?? null)
  const loading = useAction(async () => setBinding(await api.getSessionBinding.call()))
  const turningOn = useAction(async () => {
    const body = { mode: 'passkey' } as const
    setBinding(await api.setSessionBinding.call({ body }))
    return true
  })
  const turningOff = useAction(async () => {
    const response = await askPasskey(await api.sessionBindingDisableOptions.call({ body: {} }))
    if (!response) return false
    const body = { mode: 'none', response } as const
    setBinding(await api.setSessionBinding.call({ body }))
    return true
  })
  const { run: load } = loading
  useInitialLoad(load, initial)
  return { isSupported, binding, loading, turningOn, turningOff, reload: load }
}

interface RenewalOptions {
  /**
   * The session continues. If `mfaRequired` is true, not before the user proves a second factor.
   */
  onAnswer: (result: ProxiedLoginResult) => void | Promise<void>
  api?: Pick<typeof authApi, 'sessionRenewOptions' | 'sessionRenewVerify'>
}

/**
 * The page for a bound session whose key has expired: `renewing` opens the browser's dialog. After
 * a `SessionRenewalRefusedError`, the user must sign in again.
 */
export function useSessionRenewal({ onAnswer, api = authApi }: RenewalOptions) {
  const isSupported = usePasskeySupport()
  const renewing = useAction(async () => {
    const response = await askPasskey(await api.sessionRenewOptions.call({ body: {} }))
    if (!response) return false
    await onAnswer(await api.sessionRenewVerify.call({ body: { response } }))
    return true
  })
  return { isSupported, renewing }
}
