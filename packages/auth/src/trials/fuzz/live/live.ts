import type { TestAuth, TestUser } from '../../../testing.ts'
import { account } from './account.ts'
import { administration } from './administration.ts'
import { agents } from './agents.ts'
import { applications } from './applications.ts'
import { entering } from './entering.ts'
import { factors } from './factors.ts'
import { type Lives, stageOf } from './stage.ts'

/** Of a stream or a socket, for somebody new. */
export async function streamToken(auth: TestAuth): Promise<string> {
  const { key } = await auth.signedInUser()
  const url = `${auth.url}/events/token`
  const headers = await auth.signerOf(key)({ method: 'POST', url })
  const { token } = await (await fetch(url, { method: 'POST', headers })).json()
  return token
}

/** How each operation that needs something first gets it. The others are good as their schema says. */
export function liveRequests(auth: TestAuth, root: TestUser): Lives {
  const stage = stageOf(auth, root)
  return {
    ...entering(stage),
    ...factors(stage),
    ...account(stage),
    ...administration(stage),
    ...agents(stage),
    ...applications(stage),
    stream: async () => ({ query: { events: 'notice', token: await streamToken(auth) } }),
  }
}
