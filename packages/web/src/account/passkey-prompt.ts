import type { authApi } from '@svc/auth'

export type Body<Name extends keyof typeof authApi> =
  NonNullable<Parameters<(typeof authApi)[Name]['call']>[0]> extends { body: infer Given }
    ? Given
    : never

/*
 * `parseRequestOptionsFromJSON` and `toJSON` would convert the same fields. Older browsers lack the first. What stands in
 * for a browser, such as a password manager, may lack both.
 */

export function bytesOf(base64url: string) {
  const text = atob(base64url.replaceAll('-', '+').replaceAll('_', '/'))
  return Uint8Array.from(text, (each) => each.charCodeAt(0))
}

export function textOf(bytes: ArrayBuffer) {
  const text = Array.from(new Uint8Array(bytes), (each) => String.fromCharCode(each)).join('')
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

interface Descriptor {
  id: string
  type: 'public-key'
  transports: string[]
}

export function descriptorsOf(known: readonly Descriptor[]) {
  return known.map(({ id, type, transports }) => ({
    id: bytesOf(id),
    type,
    // A browser knows more transports than its types name.
    transports: transports as AuthenticatorTransport[],
  }))
}

/** What every answer of a passkey has. No extension was requested, so there are no results of one. */
export function credentialOf({ id, rawId, authenticatorAttachment }: PublicKeyCredential) {
  return {
    id,
    rawId: textOf(rawId),
    type: 'public-key' as const,
    authenticatorAttachment,
    clientExtensionResults: {},
  }
}

// A browser asks one question at a time. A new one replaces it.
let asking = new AbortController()

// A page can't tell a dialog that the user closed from one that timed out.
const cancellations = ['NotAllowedError', 'AbortError', 'TimeoutError']

/** The credential; null if the user cancelled, or if another question has replaced this one. */
export async function prompt(
  ask: (signal: AbortSignal) => Promise<Credential | null>,
  until: AbortSignal[] = [],
) {
  asking.abort()
  asking = new AbortController()
  try {
    const found = await ask(AbortSignal.any([asking.signal, ...until]))
    return found as PublicKeyCredential | null // `ask` asks for no other
  } catch (error) {
    if (error instanceof Error && cancellations.includes(error.name)) return null
    throw error
  }
}
