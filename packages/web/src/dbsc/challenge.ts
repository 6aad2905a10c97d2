import { base64url } from 'jose'
import type { Contents } from '../session/sealer.ts'
import type { WebAuth } from '../web-auth.ts'

/** The longest life of a request: by its id the API remembers that a challenge was spent. */
const lifeMillis = 300_000

/** What a browser is to sign. It is sealed, so that no instance has to remember which ones are out. */
export function mintChallenge({ sealer }: WebAuth, content: Contents['session challenge']) {
  return sealer.seal('session challenge', content, Date.now() + lifeMillis)
}

/** A challenge of ours that still lives and is for this very step and session. */
export async function openChallenge(
  { sealer }: WebAuth,
  text: string,
  expected: Contents['session challenge'],
) {
  const challenge = await sealer.open('session challenge', text, Date.now())
  const { step, keyId } = challenge?.content ?? {}
  if (!challenge || step !== expected.step || keyId !== expected.keyId) return null
  const { expiresAtMillis } = challenge
  return { expiresAtMillis, issuedAtMillis: expiresAtMillis - lifeMillis }
}

/** What the API's own replay protection knows a challenge by. */
export async function idOfChallenge(text: string) {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return base64url.encode(new Uint8Array(digest))
}
