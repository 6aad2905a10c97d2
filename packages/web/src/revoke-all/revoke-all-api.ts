import { createApi, type HttpError, type RouteMap, type SignRequest } from '@svc/core/client'

interface Link {
  body: { token: string }
}

/** The two operations that a mailed link stands for. The token travels in the body. */
export interface RevokeAllApi {
  readonly confirmRevokeAllLink: Operation<{ expiresAt: string; activeKeyCount: number }>
  readonly consumeRevokeAllLink: Operation<{ revokedCount: number }>
}

interface Operation<Answer> {
  call(input: Link): Promise<Answer>
}

const routeMap = {
  confirmRevokeAllLink: { method: 'POST', path: '/_auth/keys/revoke-all/confirm' },
  consumeRevokeAllLink: { method: 'POST', path: '/_auth/keys/revoke-all/consume' },
} as const satisfies RouteMap

export function revokeAllApi(baseUrl: string, sign: SignRequest) {
  return createApi({ routeMap, baseUrl, sign }) as unknown as RevokeAllApi // the route map has no types
}

// A token that does not even look like one is refused by its shape.
const refusals = new Set(['RevokeAllLinkError', 'ValidationError'])

/** Whether the API has refused the link. What else goes wrong says nothing about it. */
export function isRefusal(error: HttpError) {
  return refusals.has(error.name)
}
