import type { authApi } from '@svc/auth'
import { useEffect, useState } from 'react'
import { type Assertion, askPasskey, usePasskeySupport } from './passkey-ceremony.ts'
import { useAction } from './use-action.ts'

interface Ways {
  /** The options for the passkey; refused if the account has no passkey that counts. */
  options: () => ReturnType<typeof authApi.mfaStepUpOptions.call>
  prove: (response: Assertion) => Promise<void>
}

/** Proves something with a passkey. `canUsePasskey` is null until it is known; false if the browser has no passkeys. */
export function usePasskeyProof({ options, prove }: Ways) {
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
