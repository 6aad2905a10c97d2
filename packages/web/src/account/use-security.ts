import { authApi } from '@svc/auth'
import { useAction } from './use-action.ts'

interface Given<Name extends keyof typeof authApi> {
  onDone?: () => void
  api?: Pick<typeof authApi, Name>
}

/** Sets a new password. Every other device is signed out; this one stays. */
export function useChangePassword({ onDone, api = authApi }: Given<'changePassword'> = {}) {
  return useAction(async (body: { currentPassword?: string; newPassword: string }) => {
    await api.changePassword.call({ body })
    onDone?.()
    return true
  })
}

/** Puts a new key in the place of this device's, and answers until when it signs. */
export function useRotateKey({ onDone, api = authApi }: Given<'rotateKey'> = {}) {
  return useAction(async () => {
    const { expiresAtMillis } = await api.rotateKey.call({ body: {} })
    onDone?.()
    return expiresAtMillis
  })
}

/** Signs every device of the account out, this one too. */
export function useSignOutEverywhere({ onDone, api = authApi }: Given<'revokeAllKeys'> = {}) {
  return useAction(async () => {
    const { revokedCount } = await api.revokeAllKeys.call({ body: { includeCurrent: true } })
    onDone?.()
    return revokedCount
  })
}
