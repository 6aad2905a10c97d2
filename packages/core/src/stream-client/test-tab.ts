import { afterEach } from 'vitest'
import type { SSEClientOptions } from './create-sse-client.ts'
import type { Notice } from './notice.ts'
import type { SSEClient, StreamSubscription } from './subscription.ts'
import { listen, type Router } from './test-sse-client.ts'

/** Opens a tab beside one that leads, which is the test itself. */
export function tabFollower(
  host: string,
  clientOf: (options: SSEClientOptions) => SSEClient<Router>,
) {
  let endLead = () => {}
  afterEach(() => endLead())

  return async (more: Partial<StreamSubscription<Router>> = {}) => {
    const name = `svc-stream ${host}/events/stream ada`
    await new Promise<void>((leading) => {
      const led = new Promise<void>((release) => {
        endLead = release
      })
      void navigator.locks.request(name, () => {
        leading()
        return led
      })
    })
    const channel = new BroadcastChannel(name)
    const client = clientOf({ shareAcrossTabs: 'ada', acquireToken: async () => 't' })
    const { told } = listen(client, more)
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel is of one origin anyway
    const say = (notice: Notice) => channel.postMessage({ say: 'notice', notice })
    return {
      told,
      say,
      opened: (id: string, recovered = false) =>
        say({ type: 'open', opened: { events: ['added'], recovered }, id }),
      message: (n: number, id?: string) =>
        say({ type: 'message', message: { event: 'added', data: { n } }, id }),
      /** From here on the tab leads. */
      takeOver: () => {
        channel.close()
        endLead()
      },
    }
  }
}
