import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createBreachedPasswordLookup } from './breached-passwords.ts'

// The SHA-1 of `password`.
const prefix = '5BAA6'
const suffix = '1E4C9B93F3F0682250B6CF8331B7EE68FD8'
const log = { warn: vi.fn() }
const stops: (() => void)[] = []

async function lookupAt(answer: RequestListener) {
  const asked: object[] = []
  const server = createServer((request, response) => {
    asked.push({ url: request.url, padding: request.headers['add-padding'] })
    answer(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  stops.push(() => server.close().closeAllConnections())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/range/`
  return { isBreached: createBreachedPasswordLookup({ url, log }), asked }
}

afterEach(() => {
  for (const stop of stops.splice(0)) stop()
  log.warn.mockClear()
})

describe('the lookup of breached passwords', () => {
  it('sends five characters of the hash, padded, and no more', async () => {
    const { isBreached, asked } = await lookupAt((_, response) => response.end(''))
    await isBreached('password')

    expect(asked).toEqual([{ url: `/range/${prefix}`, padding: 'true' }])
  })

  it('finds a password whose hash is listed', async () => {
    const lines = `0018A45C4D1DEF81644B54AB7F969B88D65:1\r\n${suffix}:9659365\r\n`
    const { isBreached } = await lookupAt((_, response) => response.end(lines))

    expect(await isBreached('password')).toBe(true)
    expect(await isBreached('another')).toBe(false)
    expect(log.warn).not.toHaveBeenCalled()
  })

  it('does not take padding for a password', async () => {
    const { isBreached } = await lookupAt((_, response) => response.end(`${suffix}:0`))

    expect(await isBreached('password')).toBe(false)
  })

  it('lets a password pass, with a line in the log, when the collection fails', async () => {
    const { isBreached } = await lookupAt((_, response) => response.writeHead(500).end(suffix))

    expect(await isBreached('password')).toBe(false)
    expect(log.warn).toHaveBeenCalledOnce()
    expect(JSON.stringify(log.warn.mock.calls)).not.toContain(prefix)
  })

  it('waits a second at most, also for the rest of an answer', async () => {
    const { isBreached } = await lookupAt((_, response) => response.write(`${suffix}:`))
    const started = performance.now()

    expect(await isBreached('password')).toBe(false)
    expect(performance.now() - started).toBeLessThan(3000)
    expect(log.warn).toHaveBeenCalledOnce()
  })
})
