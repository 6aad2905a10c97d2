import { authApi, type FactorProof, type RecentProof } from '@svc/auth'
import { useEffect, useState } from 'react'
import { targetOf } from '../page/client.ts'
import { type Assertion, askPasskey, usePasskeySupport } from './ask-passkey.ts'
import { useAction } from './use-action.ts'

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

/** A code of an authenticator app, or a recovery code. */
export type TypedProof = { code: string } | { recoveryCode: string }

interface UseFactorProofWays {
  /** What to ask a passkey for; refused where none is a second factor. */
  options: () => ReturnType<typeof authApi.mfaStepUpOptions.call>
  prove: (proof: FactorProof) => Promise<void>
}

/** Proving the second factor: `proving` takes `{ code }` or `{ recoveryCode }`. */
export function useFactorProof({ options, prove }: UseFactorProofWays) {
  const proving = useAction(async (proof: TypedProof) => {
    await prove(proof)
    return true
  })
  const byPasskey = usePasskeyProof({ options, prove: (response) => prove({ response }) })
  return { ...byPasskey, proving }
}

interface UsePasskeyProofWays {
  /** The options for the passkey; refused if the account has no passkey that counts. */
  options: () => ReturnType<typeof authApi.mfaStepUpOptions.call>
  prove: (response: Assertion) => Promise<void>
}

/** Proves something with a passkey. `canUsePasskey` is null until it is known; false if the browser has no passkeys. */
function usePasskeyProof({ options, prove }: UsePasskeyProofWays) {
  const isSupported = usePasskeySupport()
  const [isOffered, setOffered] = useState<boolean | null>(null)
  // One run at a time, though strict mode runs the effect twice.
  const { run: look } = useAction(async () => {
    const found = await options().then(
      () => true,
      () => false,
    )
    setOffered(found)
  })
  useEffect(() => {
    if (isSupported) void look()
  }, [isSupported, look])

  const provingByPasskey = useAction(async () => {
    const response = await askPasskey(await options())
    if (!response) return false
    await prove(response)
    return true
  })
  const canUsePasskey = isSupported === false ? false : isOffered
  return { canUsePasskey, provingByPasskey }
}
