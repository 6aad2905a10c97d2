import { mkdtempSync, readdirSync, readlinkSync, rmSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { route, streamBody } from '../contract.ts'
import { defineServer } from '../definition/define-server.ts'
import { readBody } from '../request/read-body.ts'
import { defineMiddleware } from '../routes/middleware.ts'
import { defineRouter } from '../routes/router.ts'
import { startTestServer } from '../testing/test-server.ts'

const usual = process.env['TMPDIR']
const folder = mkdtempSync(join(tmpdir(), 'svc-spool-'))
process.env['TMPDIR'] = folder

let release = () => {}
const reading = defineMiddleware('reading', async (c, next) => {
  await readBody(c)
  await next()
})
const body = streamBody({ maxBytes: 2_000_000 })
const router = defineRouter({
  size: route
    .post('/size')
    .input({ body })
    .handler(async (c) => ({ size: (await c.data()).body.size })),
  held: route
    .post('/held')
    .input({ body })
    .handler(async () => {
      await new Promise<void>((resolve) => (release = resolve))
      return {}
    }),
  read: route
    .post('/read')
    .input({ body })
    .use([reading])
    .handler(() => 1),
})
const limits = { requestMillis: 20_000, spooledBytes: 150_000_000 }
const server = await startTestServer(defineServer().routes(router).limits(limits))
const { bodies, spooled } = server.infrastructure

afterAll(async () => {
  await server.stop()
  if (usual === undefined) delete process.env['TMPDIR']
  else process.env['TMPDIR'] = usual
  rmSync(folder, { recursive: true })
})

const senders: Socket[] = []
afterEach(() => {
  release()
  for (const sender of senders.splice(0)) sender.destroy()
})

/** Announces `announced` bytes, and sends these. */
function send(path: string, bytes: Buffer, announced = bytes.length) {
  const { port, hostname } = new URL(server.url)
  const socket = connect(Number(port), hostname).on('error', () => {})
  senders.push(socket)
  const parts: string[] = []
  socket.on('data', (part) => parts.push(String(part)))
  socket.write(`POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-length: ${announced}\r\n\r\n`)
  socket.write(bytes)
  return { socket, parts }
}

const megabyte = Buffer.alloc(1_000_000, 'x')

/** The files of bodies that this process has open, which have no name any more. */
const openFiles = () =>
  readdirSync('/proc/self/fd').filter((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`).includes('svc-body-')
    } catch {
      return false // it was that of the listing
    }
  }).length

setFlagsFromString('--expose-gc')
const collect: () => void = runInNewContext('gc')

function heldBuffers() {
  collect()
  return process.memoryUsage().arrayBuffers
}

const isLinux = process.platform === 'linux'

async function isQuiet() {
  await expect.poll(() => spooled.heldBytes).toBe(0)
  if (isLinux) await expect.poll(openFiles).toBe(0)
}

describe('the file of a body', () => {
  it('has no name while the body arrives, so that a crash leaves nothing', async () => {
    send('/size', megabyte, 2_000_000)
    await expect.poll(() => spooled.heldBytes).toBe(1_000_000)
    expect(readdirSync(folder)).toEqual([])
    if (isLinux) expect(openFiles()).toBe(1)
  })

  it('is gone when the client hangs up, before and after the whole body has arrived', async () => {
    const { socket } = send('/size', megabyte, 2_000_000)
    await expect.poll(() => spooled.heldBytes).toBe(1_000_000)
    socket.destroy()
    await isQuiet()

    const whole = send('/held', megabyte)
    await expect.poll(() => spooled.heldBytes).toBe(1_000_000)
    whole.socket.destroy()
    await isQuiet()
  })

  it('is gone when its request is over, answered or refused', async () => {
    for (const bytes of [1_000_000, 2_000_001]) {
      const answer = await server.fetch('/size', { method: 'POST', body: Buffer.alloc(bytes) })
      expect(answer.status).toBe(bytes === 1_000_000 ? 200 : 413)
      await isQuiet()
    }
  })

  it('is 503 where the disk takes none, and nothing is handled', async () => {
    process.env['TMPDIR'] = join(folder, 'nothing')
    const answer = await server.fetch('/size', { method: 'POST', body: 'x' })
    process.env['TMPDIR'] = folder
    expect(answer.status).toBe(503)
    expect(JSON.stringify(await answer.json())).not.toContain('nothing')
    await isQuiet()
  })

  it('is not read into the memory by middleware', async () => {
    expect((await server.fetch('/read', { method: 'POST', body: 'x' })).status).toBe(500)
  })
})

describe('a hundred bodies at once', () => {
  it('take little memory, however large they are', async () => {
    const before = heldBuffers()
    const sent = Array.from({ length: 100 }, () => send('/size', megabyte, 1_000_001))
    await expect.poll(() => spooled.heldBytes, { timeout: 15_000 }).toBe(100_000_000)
    expect(bodies.heldBytes).toBe(0)
    // What a socket and its request hold of a body that waits for the disk: 128 KiB.
    await expect.poll(() => heldBuffers() - before).toBeLessThan(100 * 131_072)
    for (const { socket } of sent) socket.write('x')
    await expect
      .poll(() => sent.filter(({ parts }) => parts.join('').includes('"size":1000001')).length, {
        timeout: 15_000,
      })
      .toBe(100)
    for (const { socket } of sent) socket.destroy()
    await isQuiet()
  }, 30_000)

  it('have a bound on the disk together: the largest that still arrives gives way', async () => {
    const sent = Array.from({ length: 160 }, () => send('/size', megabyte, 1_000_001))
    await expect
      .poll(() => sent.filter(({ parts }) => parts.join('').startsWith('HTTP/1.1 503')).length, {
        timeout: 15_000,
      })
      .toBeGreaterThanOrEqual(10)
    expect(spooled.heldBytes).toBeLessThanOrEqual(limits.spooledBytes)
    for (const { socket } of sent) socket.destroy()
    await isQuiet()
  }, 30_000)
})
