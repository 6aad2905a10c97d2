import { createHash } from 'node:crypto'
import type { RawContext } from './raw-context.ts'
import { readBody } from './read-body.ts'
import { spoolBody } from './spool-body.ts'

/**
 * The SHA-256 of the received bytes. It waits for the end of the body, and is computed once per
 * request.
 */
export function hashBody(raw: RawContext): Promise<Buffer> {
  raw.bodyHash ??= hash(raw)
  return raw.bodyHash
}

async function hash(raw: RawContext) {
  if (raw.isSpooled) return (await spoolBody(raw)).sha256
  return createHash('sha256')
    .update(await readBody(raw))
    .digest()
}

/** Waits until the whole body has arrived, in memory or in a file. */
export async function receiveBody(raw: RawContext): Promise<void> {
  await (raw.isSpooled ? spoolBody(raw) : readBody(raw))
}
