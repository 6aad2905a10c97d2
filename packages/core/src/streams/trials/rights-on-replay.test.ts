import { afterAll, expect, it, vi } from 'vitest'
import { defineServer, migrationSources } from '../../index.ts'
import { createTestDatabase } from '../../testing/test-database.ts'
import { ModelClient } from './client.ts'
import { startInstance } from './instance.ts'
import { events } from './rules.ts'

const database = await createTestDatabase({ sources: migrationSources(defineServer()) })
afterAll(() => database.drop())

const soon = { interval: 5, timeout: 10_000 }

/** A client that missed 200 events, takes the first of them, and then nothing more for now. */
async function half() {
  const rights = { hasRole: true, revoked: new Set<string>() }
  const instance = await startInstance(database, {
    mayHaveRuled: () => rights.hasRole,
    isRevoked: (credential) => rights.revoked.has(credential),
  })
  const client = new ModelClient(0, () => {})
  await client.connect(instance)
  client.drop()
  const began = instance.streams.fanOut.seq
  for (let n = 0; n < 200; n++) {
    await instance.log.record(n % 2 ? events.ruled : events.open, { n, to: [] })
  }
  await vi.waitFor(() => expect(instance.streams.fanOut.seq).toBe(began + 200), soon)
  await client.connect(instance, Infinity)
  await vi.waitFor(() => expect(client.got.length).toBeGreaterThan(0), soon)
  expect(client.got.length).toBeLessThan(100)
  const numbers = (name: string) => client.got.filter((each) => each.name === name).length
  return { rights, instance, client, numbers }
}

it('R43: what was missed is not sent to a user whose role was taken away while it was sent', async () => {
  const { rights, instance, client, numbers } = await half()
  const shown = numbers('ruled')
  rights.hasRole = false
  instance.open.reauthorize('u0')
  client.wake()
  await vi.waitFor(() => expect(numbers('open')).toBe(100), soon)
  expect(numbers('ruled')).toBe(shown)
  await instance.log.record(events.ruled, { n: 200, to: [] })
  await instance.log.record(events.open, { n: 201, to: [] })
  await vi.waitFor(() => expect(numbers('open')).toBe(101), soon)
  expect(numbers('ruled')).toBe(shown)
  instance.kill()
})

it('R43: what was missed is not sent to a key that is revoked while it was sent', async () => {
  const { rights, instance, client } = await half()
  const shown = client.got.length
  rights.revoked.add(client.credential)
  instance.open.end('u0', [client.credential])
  client.wake()
  expect(client.isConnected).toBe(false)
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(client.got.length).toBe(shown)
  expect(await client.connect(instance)).toBe('refused')
  instance.kill()
})
