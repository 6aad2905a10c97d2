import { ForbiddenError } from '@svc/core'
import type { Caller } from '../caller/caller.ts'

/** What stands for a request's key ends with that key: where no key signed it, nothing would end it. */
export function refuseKeyless({ keyId }: Pick<Caller, 'keyId'>) {
  if (keyId === '') throw new ForbiddenError({ message: 'Ask for it with a device key.' })
}
