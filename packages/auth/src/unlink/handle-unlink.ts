import { type HandlerContext, NotFoundError } from '@svc/core'
import type { Auth } from '../auth.ts'

export async function handleUnlink(_auth: Auth, _given: { c: HandlerContext; provider: string }) {
  throw new NotFoundError({ resource: 'provider' })
}
