import type { HandlerContext } from '@svc/core'
import { deriveKey, equal, keyedHash } from '../crypto/crypto.ts'
import { agentServiceOf } from './verify-access-token.ts'

interface Sealing {
  /** What the text is for: a seal of one use is worthless for another. */
  readonly use: string
  readonly text: string
  readonly grantId: string
}

/** A seal over a text that an agent is given and sends back. Only this server can make it, and only this grant can use it. */
export function sealForAgent(c: HandlerContext, { use, text, grantId }: Sealing): string {
  const { env } = agentServiceOf(c.raw.server)
  const key = deriveKey(env.SVC_AUTH_VERIFICATION_TOKEN_SECRET, `agents: ${use}`)
  return keyedHash(key, JSON.stringify([grantId, text]))
}

/** Whether a seal is over this text, for this grant. */
export const isSealedForAgent = (c: HandlerContext, seal: string, sealing: Sealing): boolean =>
  equal(seal, sealForAgent(c, sealing))
