import { createHash, randomUUID } from 'node:crypto'
import { open, unlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ServiceUnavailableError } from '../errors/contract.ts'
import type { ArrivingBody } from '../infrastructure/infrastructure.ts'
import type { RawContext, SpooledBody } from './raw-context.ts'
import { bodyTooLarge, cutOff } from './read-body.ts'

/**
 * Writes the received bytes into a file, at the first call only. The file lives as long as the
 * request.
 */
export function spoolBody(raw: RawContext): Promise<SpooledBody> {
  raw.spooled ??= spool(raw)
  return raw.spooled
}

function spool(raw: RawContext): Promise<SpooledBody> {
  const { incoming, outgoing, maxBodyBytes, server } = raw
  const announced = Number(incoming.headers['content-length'])
  if (announced > maxBodyBytes) return Promise.reject(bodyTooLarge(maxBodyBytes))
  return new Promise((resolve, reject) => {
    const body: ArrivingBody = { heldBytes: 0, refuse: reject }
    outgoing.once('close', () => server.spooled.drop(body))
    // A refusal wins over the result of the writing, because the first one to settle counts.
    write(raw, body).then(resolve, reject)
  })
}

async function write(raw: RawContext, body: ArrivingBody): Promise<SpooledBody> {
  const { incoming, maxBodyBytes, server } = raw
  const file = await openFor(raw)
  const hash = createHash('sha256')
  let size = 0
  try {
    // Without this option, the end of the loop would destroy the connection, which has to carry the
    // refusal.
    for await (const chunk of incoming.iterator({
      destroyOnReturn: false,
    }) as AsyncIterable<Buffer>) {
      size += chunk.length
      if (size > maxBodyBytes) throw bodyTooLarge(maxBodyBytes)
      server.spooled.add(body, chunk)
      hash.update(chunk)
      await onDisk(raw, file.writeFile(chunk))
    }
  } catch (error) {
    throw incoming.errored ? cutOff() : error
  }
  server.spooled.finish(body)
  return { file, size, sha256: hash.digest() }
}

/**
 * A file without a name. No other program can open it, and the system frees it when it is closed or
 * when the process ends, even by a crash.
 */
async function openFor(raw: RawContext) {
  const path = join(tmpdir(), `svc-body-${randomUUID()}`)
  const file = await onDisk(raw, open(path, 'wx+', 0o600))
  const close = () => void file.close().catch(() => {}) // it is closed already
  // The request may be over before its file is open.
  if (raw.outgoing.closed) close()
  else raw.outgoing.once('close', close)
  await onDisk(raw, unlink(path))
  return file
}

/**
 * A disk that is full or can't be written counts as down, like any other dependency of the server.
 */
async function onDisk<Value>({ outgoing, server }: RawContext, work: Promise<Value>) {
  try {
    return await work
  } catch (cause) {
    if (!outgoing.closed) server.log.error({ err: cause }, 'a body could not be written to a file')
    throw new ServiceUnavailableError({ cause })
  }
}
