import { authApi } from '@svc/auth'
import { useAction } from './use-action.ts'
import type { ProvenEmail } from './use-email-code.ts'

interface Options {
  /** The account is open, and this browser is signed in to it. */
  onRegistered: () => void
  api?: Pick<typeof authApi, 'register'>
}

/** Opens an account for an address that was proved for the purpose `registration`, and signs in. */
export function useRegister({ onRegistered, api = authApi }: Options) {
  return useAction(async (given: ProvenEmail & { password: string }) => {
    await api.register.call({ body: given })
    onRegistered()
  })
}
