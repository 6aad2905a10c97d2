import { isObject } from '../is-object.ts'

interface Response {
  readonly response: { readonly clientDataJSON: string }
}

/**
 * The challenge that a response claims to be for; null if it can't be parsed. Nothing is checked
 * yet.
 */
export function challengeOf(response: Response) {
  const challenge = readClientData(response)?.challenge
  // 32 bytes, as they were issued.
  return typeof challenge === 'string' && /^[\w-]{43}$/.test(challenge) ? challenge : null
}

/** A frame on another site's page could make a user confirm what they can't see. */
export function isFramed(response: Response) {
  const { crossOrigin = false, topOrigin } = readClientData(response) ?? {}
  return crossOrigin !== false || topOrigin !== undefined
}

/**
 * Parsed as the library does it, so that both see the same members: of two with one name, the last.
 */
function readClientData({ response }: Response): Readonly<Record<string, unknown>> | null {
  try {
    const bytes = Buffer.from(response.clientDataJSON, 'base64url')
    const data: unknown = JSON.parse(new TextDecoder().decode(bytes))
    return isObject(data) ? data : null
  } catch {
    return null
  }
}
