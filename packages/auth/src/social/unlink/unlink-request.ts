import { type RawContext, readBody } from '@svc/core'
import type { UnlinkRequest } from '../../openid/provider.ts'

const form = /^application\/x-www-form-urlencoded(?:;|$)/i

/** A notice as a provider verifies it. What it says is in the query, in the form of a POST, or in the query of one (Naver). */
export async function unlinkRequest(raw: RawContext, now: Date): Promise<UnlinkRequest> {
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

/** All that were sent: of two with one name, Node would give the first alone. */
function headersOf({ incoming }: RawContext) {
  const headers = new Headers()
  for (const [name, values = []] of Object.entries(incoming.headersDistinct)) {
    for (const value of values) headers.append(name, value)
  }
  return headers
}
