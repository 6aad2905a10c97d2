import { createHmac, randomBytes, randomUUID } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { defineRouter, defineServer } from '../../packages/core/src/index.ts'
import { startTestServer } from '../../packages/core/src/testing/test-server.ts'
import { examplesOf } from './fences.ts'

// The lines of the guide, as they stand there.

const root = join(import.meta.dirname, '..', '..')
mkdirSync(join(root, '.svc'), { recursive: true })
// Ignored by git, and inside the repository so that its packages are found.
const folder = mkdtempSync(join(root, '.svc', 'webhook-'))
const guide = readFileSync(join(root, 'docs', 'guide', 'uploads.md'), 'utf8')
for (const { name, text } of examplesOf(guide)) if (name) writeFileSync(join(folder, name), text)
mkdirSync(join(folder, 'migrations'))
writeFileSync(
  join(folder, 'migrations', '0001_webhooks.sql'),
  'create table received_webhooks (id text primary key, received_at timestamptz not null);',
)

const { paymentWebhook, webhookEnv } = await import(join(folder, 'payment-webhook.ts'))
const { receivedWebhooks } = await import(join(folder, 'schema.ts'))

const key = randomBytes(24)
const app = await startTestServer(
  defineServer()
    .env(webhookEnv)
    .routes(defineRouter({ paymentWebhook }))
    .database({
      schema: { receivedWebhooks },
      migrations: pathToFileURL(`${join(folder, 'migrations')}/`),
    }),
  { env: { PAYMENT_WEBHOOK_SECRET: `whsec_${key.toString('base64')}` }, database: true },
)
afterAll(async () => {
  await app.stop()
  rmSync(folder, { recursive: true })
})

const text = '{ "amount":  10.0 }'

/** A delivery as the service makes it (standardwebhooks.com), with what a test changes. */
function delivery({ secret = key, ageSeconds = 0, id = randomUUID(), signed = text } = {}) {
  const timestamp = `${Math.floor(app.clock.now().getTime() / 1000) - ageSeconds}`
  const hash = createHmac('sha256', secret).update(`${id}.${timestamp}.${signed}`).digest('base64')
  return { id, timestamp, signature: `v1,${hash}`, body: text }
}

async function deliver({ id, timestamp, signature, body }: ReturnType<typeof delivery>) {
  const { status } = await app.fetch('/webhooks/payments', {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': signature,
    },
    body,
  })
  return status
}

const timesPaid = () => app.logged.filter(({ msg }) => msg === 'paid').length

describe('the webhook of the guide', () => {
  it('is taken as it was signed, byte for byte, once however often it comes', async () => {
    const given = delivery()
    const before = timesPaid()
    expect(await Promise.all([1, 2, 3, 4].map(() => deliver(given)))).toEqual([204, 204, 204, 204])
    expect(await deliver(given)).toBe(204)
    expect(timesPaid()).toBe(before + 1)
  })

  it('is taken with one of two signatures, while the secret is changed', async () => {
    const given = delivery()
    const signature = `${delivery({ secret: randomBytes(24) }).signature} ${given.signature}`
    expect(await deliver({ ...given, signature })).toBe(204)
  })

  it('is refused where it was not signed so, and its id is still good for the real one', async () => {
    const given = delivery()
    const before = timesPaid()
    for (const forged of [
      delivery({ secret: randomBytes(24), id: given.id }),
      delivery({ signed: '{"amount":10.0}', id: given.id }),
      { ...given, body: '{"amount":10}' },
      { ...given, timestamp: `${Number(given.timestamp) + 1}` },
      { ...given, id: randomUUID() },
      { ...given, signature: '' },
      { ...given, signature: 'v1,' },
    ]) {
      expect(await deliver(forged)).toBe(401)
    }
    expect(timesPaid()).toBe(before)
    expect(await deliver(given)).toBe(204)
  })

  it('is refused from five minutes before and after its time', async () => {
    expect(await deliver(delivery({ ageSeconds: 299 }))).toBe(204)
    for (const ageSeconds of [302, -302]) expect(await deliver(delivery({ ageSeconds }))).toBe(401)
  })
})
