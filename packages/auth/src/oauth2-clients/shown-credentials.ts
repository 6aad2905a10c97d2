import type { RawContext } from '@svc/core'
import type { ClientAuthMethod } from './schema.ts'

export interface ClientCredentials {
  client_id?: string | undefined
  client_secret?: string | undefined
}

/** Who a client says that it is, and how it shows that. */
export interface ShownCredentials {
  readonly clientId: string
  readonly method: ClientAuthMethod
  readonly secret: string
}

/** Null where it says nothing, or says it in two ways (RFC 6749, section 2.3). */
export function shownCredentials(
  raw: RawContext,
  { client_id: clientId, client_secret: secret }: ClientCredentials,
): ShownCredentials | null {
  const header = raw.req.header('authorization')
  if (header !== undefined) {
    const shown = secret === undefined ? readBasic(header) : null
    return clientId === undefined || clientId === shown?.clientId ? shown : null
  }
  if (clientId === undefined) return null
  if (secret === undefined) return { clientId, method: 'none', secret: '' }
  return { clientId, method: 'client_secret_post', secret }
}

const basic = /^Basic +([\w+/]{1,4096}={0,2})$/i

function readBasic(header: string): ShownCredentials | null {
  const [, encoded = ''] = basic.exec(header) ?? []
  const [, id, password] = /^([^:]*):(.*)$/s.exec(Buffer.from(encoded, 'base64').toString()) ?? []
  const clientId = formDecoded(id)
  const secret = formDecoded(password)
  if (!clientId || secret === null) return null
  return { clientId, method: 'client_secret_basic', secret }
}

/** Both are encoded as in a form before they are joined (RFC 6749, section 2.3.1). */
function formDecoded(text = '') {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return null
  }
}
