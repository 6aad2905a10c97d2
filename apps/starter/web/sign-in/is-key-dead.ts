import { KeyExpiredError } from '@svc/auth'
import { UnauthorizedError } from '@svc/core/client'

/** Whether the API has said that it takes this key no more. Any other failure says nothing about the key. */
export function isKeyDead(error: unknown) {
  return error instanceof UnauthorizedError || error instanceof KeyExpiredError
}
