import { authApi, type RecentProof } from '@svc/auth'
import { useEffect, useState } from 'react'
import { targetOf } from './proof-target.ts'
import { useAction } from './use-action.ts'
import { usePasskeyProof } from './use-passkey-proof.ts'

type Api = Pick<
  typeof authApi,
  'getAuthSession' | 'proveRecent' | 'proveRecentOptions' | 'sendVerificationCode'
>

interface Options {
  onProved: () => void | Promise<void>
  api?: Api
}

/** How the user can give the proof, beside a passkey. */
export interface ProofWays {
  readonly hasPassword: boolean
  /** The proven address or number to which a code is sent; null if there is none. */
  readonly codeTarget: string | null
}

/**
 * Gives a fresh proof on this device: `confirming` takes the password, `confirmingByCode` the code that
 * `sending` has sent. `ways` and `canUsePasskey` are null until they are known.
 */
export function useRecentProof({ onProved, api = authApi }: Options) {
  const [ways, setWays] = useState<ProofWays | null>(null)
  const { run: look } = useAction(async () => {
    try {
      const { hasPassword, ...session } = await api.getAuthSession.call()
      setWays({ hasPassword, codeTarget: targetOf(session)?.target ?? null })
    } catch {
      // Most accounts have one. The try shows whether this one does.
      setWays({ hasPassword: true, codeTarget: null })
    }
  })
  useEffect(() => void look(), [look])

  const prove = async (body: RecentProof) => {
    await api.proveRecent.call({ body })
    await onProved()
  }
  const confirming = useAction(async (password: string) => {
    await prove({ password })
    return true
  })
  const confirmingByCode = useAction(async (code: string) => {
    await prove({ code })
    return true
  })
  const sending = useAction(async () => {
    const to = targetOf(await api.getAuthSession.call())
    if (!to) return null
    await api.sendVerificationCode.call({ body: { ...to, purpose: 'login' } })
    return to.target
  })
  const { canUsePasskey, provingByPasskey: confirmingByPasskey } = usePasskeyProof({
    options: () => api.proveRecentOptions.call({ body: {} }),
    prove: (passkey) => prove({ passkey }),
  })
  return { ways, canUsePasskey, confirming, confirmingByPasskey, sending, confirmingByCode }
}
