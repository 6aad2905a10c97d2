import { expect, it, vi } from 'vitest'
import { ForbiddenError, ValidationError } from '../errors/contract.ts'
import { startDrops } from './test-drops.ts'
import { listenTo, useFollowing } from './test-following.ts'

// Node has the locks and the channels that browsers have: each client here is a tab.

const { serve, connect } = useFollowing()
const soon = { interval: 5, timeout: 5000 }

async function start() {
  const server = await serve()
  const drops = await startDrops(() => server.url)
  const openTab = async () => {
    const client = connect('SSE', drops.url, { shareAcrossTabs: 'u1' })
    const tab = listenTo(client)
    await tab.subscribe('u1-a')
    return { client, ...tab }
  }
  return { drops, openTab, changed: server.changed }
}

it.each([
  ['that leads', 0],
  ['that does not lead', 1],
])('a tab %s has a connection of its own from its first change on', async (_which, at) => {
  const { drops, openTab, changed } = await start()
  const tabs = [await openTab(), await openTab(), await openTab()]
  const [one] = tabs.splice(at, 1)
  if (!one) throw new Error('there are three tabs')
  await changed.of('u1-a').emit({ n: 1 })
  for (const { heard } of [one, ...tabs]) {
    await vi.waitFor(() => expect(heard).toHaveLength(1), soon)
  }
  await one.client.follow(one.orders('u1-b'))
  await expect(one.client.follow(one.orders('u2'))).rejects.toBeInstanceOf(ForbiddenError)
  await expect(one.client.follow(one.orders('u1,'))).rejects.toBeInstanceOf(ValidationError)
  for (const id of ['u1-b', 'u1-a']) await changed.of(id).emit({ n: 2 })
  await vi.waitFor(
    () =>
      expect(one.heard.slice(1)).toEqual([
        ['u1-b', 2],
        ['u1-a', 2],
      ]),
    soon,
  )
  for (const { heard } of tabs) {
    await vi.waitFor(() => expect(heard.slice(1)).toEqual([['u1-a', 2]]), soon)
  }
  await one.client.leave({ channels: { changed: ['u1-a'] } })
  await changed.of('u1-a').emit({ n: 3 })
  for (const { heard } of tabs) await vi.waitFor(() => expect(heard).toHaveLength(3), soon)
  expect(one.heard).toHaveLength(3)
  expect(new Set(drops.streams())).toEqual(new Set(['news,changed:u1-a']))
  expect(drops.streams()).toHaveLength(at === 0 ? 3 : 2)
})
