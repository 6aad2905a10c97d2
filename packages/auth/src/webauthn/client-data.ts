import { isObject } from '../is-object.ts'

interface Response {
  readonly response: { readonly clientDataJSON: string }
}

/** The challenge that a response says it answers; null for garbage. Nothing is checked yet. */
export function challengeOf(response: Response) {
  const challenge = readClientData(response)?.challenge
  // 32 bytes, as they were given out.
  return typeof challenge === 'string' && /^[\w-]{43}$/.test(challenge) ? challenge : null
}

/** A frame of another site's page could have a user confirm what they do not see. */
export function isFramed(response: Response) {
  const { crossOrigin = false, topOrigin } = readClientData(response) ?? {}
  return crossOrigin !== false || topOrigin !== undefined
}

/** It is read as the library reads it, so that both see the same members: with two of a name, the last. */
function readClientData({ response }: Response): Readonly<Record<string, unknown>> | null {
  try {
    const bytes = Buffer.from(response.clientDataJSON, 'base64url')
    const data: unknown = JSON.parse(new TextDecoder().decode(bytes))
    return isObject(data) ? data : null
  } catch {
    return null
  }
}
