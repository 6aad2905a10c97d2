import { describe, expect, it } from 'vitest'
import { app } from './running-web-app.ts'
import { signedInVisitor, type Visitor } from './visitor.ts'

const withinFiveSeconds = { timeout: 5000 }

async function openLive(user: { email: string; password: string }) {
  const visitor = await signedInVisitor(user)
  await visitor.open('/live')
  await stateOf(visitor, 'Server-sent events', 'Connected')
  await stateOf(visitor, 'WebSocket', 'Connected')
  return visitor
}

/** Waits until a stream's panel says so. */
function stateOf({ page }: Visitor, title: string, text: string) {
  const panel = page.getByRole('region', { name: title })
  return panel.getByText(text, { exact: true }).waitFor(withinFiveSeconds)
}

describe('the live page', () => {
  it('shows a notice over both streams as it is posted, and what the API sends back', async () => {
    const visitor = await openLive(await app.api.createUser({ role: 'admin' }))
    const { page, fill, click } = visitor
    await fill('New notice', 'Hot off the press')
    await click('Post')
    for (const title of ['Server-sent events', 'WebSocket']) {
      const log = page.getByRole('log', { name: title })
      await log.getByText('Hot off the press').waitFor(withinFiveSeconds)
    }
    await fill('Message', 'Is anybody there?')
    await click('Send')
    await page.getByText('came back in').waitFor(withinFiveSeconds)
  })

  it('ends by itself when its device is signed out from another', async () => {
    const user = await app.api.createUser()
    const watching = await openLive(user)
    const other = await signedInVisitor(user)
    await other.open('/account/devices')
    await other.click('Sign out all other devices')
    await other.click('Yes, sign out')

    const began = performance.now()
    await watching.page.getByText('This device was signed out').waitFor(withinFiveSeconds)
    await stateOf(watching, 'Server-sent events', 'Ended')
    await stateOf(watching, 'WebSocket', 'Ended')
    expect(performance.now() - began).toBeLessThan(5000)
  })
})
