import { authorizationServerOf } from '../authorization-server/configured.ts'
import type { AgentNeeds } from '../oauth2-clients/agent-needs.ts'

interface Answering {
  redirectUri: string
  state: string | undefined
}

/**
 * Where a browser takes the answer to a client. Every answer names who gives it, so that a client of several servers
 * never takes a code of one to another (RFC 9207).
 */
export function answerAddress(
  auth: AgentNeeds<'authorizationServer'>,
  { redirectUri, state }: Answering,
  answer: Record<string, string>,
) {
  const { issuer } = authorizationServerOf(auth)
  const url = new URL(redirectUri)
  const parameters = { ...answer, ...(state !== undefined && { state }), iss: issuer }
  for (const [name, value] of Object.entries(parameters)) url.searchParams.append(name, value)
  return url.href
}
