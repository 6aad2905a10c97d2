import { createHash } from 'node:crypto'
import type { RawContext } from './raw-context.ts'
import { readBody } from './read-body.ts'

/** The SHA-256 of the received bytes. It waits for the end of the body, and is computed once a request. */
export function hashBody(raw: RawContext): Promise<Buffer> {
  raw.bodyHash ??= hash(raw)
  return raw.bodyHash
}

async function hash(raw: RawContext) {
  return createHash('sha256')
    .update(await readBody(raw))
    .digest()
}
