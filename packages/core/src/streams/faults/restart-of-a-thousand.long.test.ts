import { it } from 'vitest'
import { createSSEClient } from '../../stream-client/create-sse-client.ts'
import type { AnyEventRouter } from '../../stream-client/subscription.ts'
import { expectAllBack, Tally } from './coming-back.ts'

it('F14: has a thousand clients back within 30 s of a kill, with hardly a token lost', async () => {
  const tally = new Tally()
  await expectAllBack(1000, {
    tally,
    connect({ url }, user) {
      const acquireToken = async () => {
        const headers = { 'test-user': user }
        const answer = await fetch(`${url}/events/token`, { method: 'POST', headers })
        const { token } = (await answer.json()) as { token: string }
        tally.minted += 1
        return token
      }
      const client = createSSEClient<AnyEventRouter>({ host: url, acquireToken })
      return client.subscribe({
        events: ['tick'],
        handlers: {},
        onOpen: () => tally.open(),
        onRejected: () => {
          tally.refused += 1
        },
      })
    },
  })
}, 90_000)
