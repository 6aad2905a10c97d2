import type { authApi, FactorProof } from '@svc/auth'
import { useAction } from './use-action.ts'
import { usePasskeyProof } from './use-passkey-proof.ts'

/** A code of an authenticator app, or one of those that were kept for when it is lost. */
export type TypedProof = { code: string } | { recoveryCode: string }

interface Ways {
  /** What to ask a passkey for; refused where none is a second factor. */
  options: () => ReturnType<typeof authApi.mfaStepUpOptions.call>
  prove: (proof: FactorProof) => Promise<void>
}

/** Proving the second factor: `proving` takes `{ code }` or `{ recoveryCode }`. */
export function useFactorProof({ options, prove }: Ways) {
  const proving = useAction(async (proof: TypedProof) => {
    await prove(proof)
    return true
  })
  const byPasskey = usePasskeyProof({ options, prove: (response) => prove({ response }) })
  return { ...byPasskey, proving }
}
