import { NotFoundError, type RawContext, readBody, UnauthorizedError } from '@svc/core'
import { requestOrigin } from '../../caller/caller.ts'
import type { Handlers } from '../../capability/capability.ts'
import type { OAuthProvider, UnlinkNotification, UnlinkRequest } from '../../providers/providers.ts'
import type { SocialHeld } from '../held.ts'
import type { unlinkOperations } from './contract.ts'
import { endConsent } from './unlinked.ts'

export const unlinkHandlers: Handlers<typeof unlinkOperations, SocialHeld> = {
  unlinkNotifyByQuery: ({ auth, params, c }) => handleUnlink(auth, { raw: c.raw, ...params }),
  unlinkNotify: ({ auth, params, c }) => handleUnlink(auth, { raw: c.raw, ...params }),
}

interface Notice {
  raw: RawContext
  provider: string
}

/**
 * Removes the linked account that a provider names. If no account here has it, it was removed
 * before.
 */
async function handleUnlink(auth: SocialHeld, notice: Notice) {
  const { raw } = notice
  const provider = auth.providers.find(notice.provider)
  if (!provider?.verifyUnlinkNotification) throw new NotFoundError({ resource: 'provider' })
  const notification = await verify(auth, provider, raw)
  await endConsent(auth, { provider: provider.id, notification, origin: requestOrigin(raw) })
  return new Response(null, { status: provider.unlinkNotifyAckStatus ?? 200 })
}

async function verify(auth: SocialHeld, provider: OAuthProvider, raw: RawContext) {
  const request = await unlinkRequest(raw, auth.clock.now())
  let notification: UnlinkNotification | null | undefined
  try {
    notification = await provider.verifyUnlinkNotification?.(request)
  } catch (error) {
    auth.log.warn({ err: error, provider: provider.id }, 'an unlink notice could not be verified')
  }
  // The same words for every fault: a padding, a signature and a time must not be distinguishable
  //
  if (!notification) throw new UnauthorizedError()
  return notification
}

const form = /^application\/x-www-form-urlencoded(?:;|$)/i

/**
 * A notice as a provider verifies it. Its fields are in the query, in the form of a POST, or in the
 * query of a POST (Naver).
 */
async function unlinkRequest(raw: RawContext, now: Date): Promise<UnlinkRequest> {
  const method = raw.req.method === 'POST' ? 'POST' : 'GET'
  const parts = [queryOf(raw), method === 'POST' ? await formOf(raw) : '']
  const fields = new URLSearchParams(parts.join('&'))
  return { method, headers: headersOf(raw), fields, now }
}

async function formOf(raw: RawContext) {
  if (!form.test(raw.req.header('content-type') ?? '')) return ''
  return (await readBody(raw)).toString('utf8')
}

const queryOf = ({ req }: RawContext) => req.target.split(/\?(.*)/s, 2)[1] ?? ''

/** All headers as sent: of two with one name, Node would keep only the first. */
function headersOf({ incoming }: RawContext) {
  const headers = new Headers()
  for (const [name, values = []] of Object.entries(incoming.headersDistinct)) {
    for (const value of values) headers.append(name, value)
  }
  return headers
}
