import { createVirtualClock } from '@svc/core/testing'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { startOpenIdServer } from '../testing/test-openid-server.ts'
import { ProviderUnavailableError } from './ask-provider.ts'
import { createDiscovery } from './discovery.ts'

const server = await startOpenIdServer()
afterAll(server.stop)
afterEach(() => {
  server.misbehave(null)
  server.setMetadata({})
})

function begin() {
  const clock = createVirtualClock()
  const discover = createDiscovery(clock)
  const path = '/.well-known/openid-configuration'
  const before = server.timesAsked(path)
  return {
    clock,
    find: async () => (await discover(server.issuer)).endpoint('tokenEndpoint'),
    timesAsked: () => server.timesAsked(path) - before,
  }
}

const usual = `${server.issuer}/token`
const moved = `${server.issuer}/moved`

describe('what a provider publishes of itself', () => {
  it('is asked for once an hour, however many need it', async () => {
    const { find, clock, timesAsked } = begin()
    expect(await Promise.all([find(), find(), find()])).toEqual([usual, usual, usual])
    clock.advance('59m')
    server.setMetadata({ token_endpoint: moved })
    expect(await find()).toBe(usual)
    expect(timesAsked()).toBe(1)
    clock.advance('1m')
    expect(await Promise.all([find(), find()])).toEqual([moved, moved])
    expect(timesAsked()).toBe(2)
  })

  it.each([
    ['of another issuer', { issuer: 'https://other.example.com' }],
    ['without the address', { token_endpoint: undefined }],
    ['with an address without TLS', { token_endpoint: 'http://provider.example.com/token' }],
  ])('is not kept where it cannot be used: %s', async (_, metadata) => {
    const { find, timesAsked } = begin()
    server.setMetadata(metadata)
    await expect(find()).rejects.toThrow(ProviderUnavailableError)
    server.setMetadata({})
    expect(await find()).toBe(usual)
    expect(timesAsked()).toBe(2)
  })

  it('stays known through an outage, for a day, and is asked for once a minute', async () => {
    const { find, clock, timesAsked } = begin()
    await find()
    server.misbehave('failing')
    clock.advance('1h')
    expect(await Promise.all([find(), find()])).toEqual([usual, usual])
    expect(await find()).toBe(usual)
    expect(timesAsked()).toBe(2)
    clock.advance('1m')
    expect(await find()).toBe(usual)
    expect(timesAsked()).toBe(3)
    clock.advance('23h')
    await expect(find()).rejects.toThrow(ProviderUnavailableError)
  })
})
