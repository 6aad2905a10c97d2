import { connect } from 'node:net'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { authContract } from '../auth-contract.ts'
import { withKeyring } from '../mfa/testing/test-second-factor.ts'
import { files, filesServer } from '../oauth2/testing/test-resource-server.ts'
import { startTestAuth } from '../testing.ts'
import type { LimitName } from './contract.ts'
import { limitOf } from './testing/limits.ts'

const auth = await startTestAuth({
  env: { ...withKeyring(), SVC_RATE_LIMIT: 'on' },
  options: {
    authorizationServer: {
      scopes: { read: 'Read' },
      registration: 'open',
      resources: ['/', files],
      resourceServers: { [files]: filesServer },
      deviceGrant: true,
    },
  },
})
afterAll(() => auth.stop())
// The windows of the test before are over.
afterEach(() => auth.clock.advance('2m'))

const isOpen = (access: string) => ['public', 'setup', 'optional'].includes(access)
const open = Object.entries(authContract).filter(([, { access }]) => isOpen(access))
const withBody = open.filter(([, { operation }]) => operation.method !== 'GET')

/** Announces a body, sends a part of it, and waits for what is answered. */
function announce(name: string, { announced, sent }: { announced: number; sent: number }) {
  const { method, path, input } = authContract[name as keyof typeof authContract].operation
  const { port, hostname } = new URL(auth.url)
  // What a provider notifies of is no input of ours: its handler reads the form.
  const type = 'form' in input || name === 'unlinkNotify' ? 'x-www-form-urlencoded' : 'json'
  return new Promise<string>((resolve, reject) => {
    const socket = connect(Number(port), hostname)
    socket.on('data', (part) => {
      resolve(String(part))
      socket.destroy()
    })
    socket.on('error', reject)
    socket.write(
      `${method} ${path.replace(':provider', 'kakao')} HTTP/1.1\r\nhost: x\r\ncontent-type: application/${type}\r\ncontent-length: ${announced}\r\n\r\n${' '.repeat(sent)}`,
    )
  })
}

async function exhaust(name: LimitName) {
  for (let taken = 0; taken < limitOf(name); taken++) {
    await auth.auth.limits.take(name, '127.0.0.1')
  }
}

describe('an operation that anyone may call', () => {
  it('is counted by its address, unless it has no body', () => {
    expect(withBody.length).toBeGreaterThan(30)
    for (const [name, { counted }] of withBody) {
      expect([name, counted]).toEqual([name, expect.stringMatching(/ by address$/)])
    }
    const free = open.filter(([, { counted }]) => counted === 'uncounted').map(([name]) => name)
    expect(free).toEqual(['providers', 'oauthCallback', 'getOAuth2Authorize'])
  })

  it.each(withBody.map(([name, { counted }]) => [name, counted as LimitName]))(
    'refuses %s over its limit before its body is read (decisions 16)',
    async (name, counted) => {
      await exhaust(counted)
      const slow = await announce(name, { announced: 10_000, sent: 10 })
      const oversized = await announce(name, { announced: 10_000_000, sent: 60_000 })
      for (const answer of [slow, oversized]) {
        expect(answer).toMatch(/^HTTP\/1\.1 429 /)
        expect(answer).toMatch(/^connection: close/im)
      }
    },
  )

  it.each(withBody.map(([name]) => [name]))(
    'takes 16 KiB of a body and no more: %s (decisions 16)',
    async (name) => {
      const over = await announce(name, { announced: 16_385, sent: 1 })
      const reworded = name.startsWith('oauth2') || name === 'registerOAuth2Client'
      // OAuth has its own words for what is not right, and one status for it.
      expect(over).toMatch(reworded ? /^HTTP\/1\.1 400 / : /^HTTP\/1\.1 413 /)
      expect(over).toContain('The body is over 16384 bytes.')
      const within = await announce(name, { announced: 16_384, sent: 16_384 })
      expect(within).not.toContain('The body is over')
    },
  )
})
