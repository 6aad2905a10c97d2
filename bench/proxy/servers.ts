import { fileURLToPath } from 'node:url'
import { type Client, insertAccounts, signUp } from '../auth/clients.ts'
import { openPeers } from '../auth/open-peers.ts'
import { type Running, startChild } from '../harness/child.ts'
import { enrolSessions } from './enrol-sessions.ts'

/** The server that gets the load, and the one behind it. */
export interface Variant {
  name: string
  label: string
  running: Running
  /** The API behind a proxy, whose CPU is counted separately. */
  behind?: Running
  clients: Client[]
}

const secret = 'wJ4xq7Lr0vT2nB8yKc5dFz1mGh6sPaEu9RiWoQtXbN3'

/** One API for the direct calls and for both proxies, and better-auth on a database of its own. */
export async function startVariants(count: number) {
  const peers = openPeers()
  const proxies: Running[] = []
  async function close() {
    await Promise.all(proxies.map((proxy) => proxy.stop()))
    await peers.close()
  }

  try {
    const api = await peers.open('svc.ts')
    const proxy = async (file: string) => {
      const path = fileURLToPath(new URL(file, import.meta.url))
      const env = {
        SVC_API_URL: api.url,
        SVC_AUTH_SESSION_SECRET: secret,
        SVC_AUTH_CSRF: 'enforce',
      }
      const running = await startChild(path, env)
      proxies.push(running)
      return running
    }
    const betterAuth = await peers.open('../proxy/better-auth.ts')
    const behind = api.running
    const sessions = await enrolSessions(api, { count, secret })
    const variants: Variant[] = [
      {
        name: 'svc-proxy',
        label: 'Svc: browser → proxy → API',
        running: await proxy('svc-proxy.ts'),
        behind,
        clients: sessions,
      },
      {
        name: 'plain-proxy',
        label: 'Svc proxy without a session, a public call',
        running: await proxy('plain-proxy.ts'),
        behind,
        clients: sessions,
      },
      {
        name: 'by-hand',
        label: 'fetch by hand on the same host, a public call',
        running: await proxy('by-hand.ts'),
        behind,
        clients: sessions,
      },
      {
        name: 'svc',
        label: 'Svc: the same call signed by the client, to the API',
        running: behind,
        clients: await insertAccounts('ES256')(api, count),
      },
      {
        name: 'better-auth',
        label: 'better-auth get-session, its handler on the same host',
        running: betterAuth.running,
        clients: await signUp(betterAuth, count),
      },
    ]
    return { variants, close }
  } catch (error) {
    await close()
    throw error
  }
}
