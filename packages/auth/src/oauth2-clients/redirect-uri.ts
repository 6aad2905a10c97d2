import type { OAuth2Client } from './find-client.ts'

/** Whether an answer may be sent there: letter by letter, but for the port of a loopback address (RFC 8252, 7.3). */
export function isRedirectUriOf({ redirectUris }: OAuth2Client, given: string): boolean {
  return redirectUris.includes(given)
}
