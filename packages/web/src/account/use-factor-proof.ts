import type { authApi, FactorProof } from '@svc/auth'
import { useEffect, useState } from 'react'
import { askPasskey, usePasskeySupport } from './passkey-ceremony.ts'
import { useAction } from './use-action.ts'

/** A code of an authenticator app, or one of those that were kept for when it is lost. */
export type TypedProof = { code: string } | { recoveryCode: string }

interface Ways {
  /** What to ask a passkey for; refused where none is a second factor. */
  options: () => ReturnType<typeof authApi.mfaStepUpOptions.call>
  prove: (proof: FactorProof) => Promise<void>
}

/**
 * Proving the second factor: `proving` takes `{ code }` or `{ recoveryCode }`. `canUsePasskey` is null until it is known
 * whether one is a second factor of the account, and the browser knows them.
 */
export function useFactorProof({ options, prove }: Ways) {
  const isSupported = usePasskeySupport()
  const [isFactor, setFactor] = useState<boolean | null>(null)
  // One run at a time, though strict mode runs the effect twice.
  const { run: look } = useAction(async () => {
    const isOffered = await options().then(
      () => true,
      () => false,
    )
    setFactor(isOffered)
  })
  useEffect(() => {
    if (isSupported) void look()
  }, [isSupported, look])

  const proving = useAction(async (proof: TypedProof) => {
    await prove(proof)
    return true
  })
  const provingByPasskey = useAction(async () => {
    const response = await askPasskey(await options())
    if (!response) return false
    await prove({ response })
    return true
  })
  const canUsePasskey = isSupported === false ? false : isFactor
  return { canUsePasskey, proving, provingByPasskey }
}
