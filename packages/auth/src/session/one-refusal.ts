import { HttpError } from '@svc/core'
import { SessionRenewalRefusedError } from './errors.ts'

/** Whatever a request or a passkey fails by is one refusal. An account that may not sign in is told to who proved both. */
export async function oneRefusal<Result>(run: () => Promise<Result>) {
  try {
    return await run()
  } catch (error) {
    if (error instanceof HttpError && error.status === 401) throw new SessionRenewalRefusedError()
    throw error
  }
}
