import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { dirname } from 'node:path'
import { startTestAuth, type TestAuth } from '@svc/auth/testing'
import type { Browser } from 'playwright-core'
import { buildWebApp, type WebAppKind } from '../../../../scripts/browser/build-web-app.ts'
import { launchBrowser } from '../../../../scripts/browser/launch-browser.ts'
import { type ServedWebApp, serveUntilReady } from '../../../../scripts/browser/serve-web-app.ts'
import {
  startTestProviders,
  type TestProviders,
} from '../../../../scripts/browser/test-providers.ts'
import {
  startPublishedClients,
  type TestPublishedClients,
} from '../../../../scripts/browser/test-published-clients.ts'
import { startTestDns } from '../../../../scripts/test-dns.ts'
import { keepInStep } from './keep-in-step.ts'

export const sessionSecret = 'Kf3vQm8ZpXw1Rt6Yb0Ls9Uj4Hd7Gc2Ne5Ai-oTq_'
export const verificationSecret = 'Wd5bNx2KrVe9Sg7Jm1Tq4Zc8Hf6Lp3Yu0Ba-oIx_'
export const encryptionKey = 'c2l4dGVlbiB0aW1lcyB0d28gbWFrZXMgMzIgYnl0ZXM='

type TestDns = Awaited<ReturnType<typeof startTestDns>>

export interface TestWebApp {
  api: TestAuth
  clock: ReturnType<typeof keepInStep>
  /** The folder of the build, and what it is served with. */
  folder: string
  env: NodeJS.ProcessEnv
  web: string
  /** The same build with Secure cookies. */
  secureWeb: string
  served: ServedWebApp[]
  browser: Browser
  providers: TestProviders
  /** The name server that the API asks. */
  dns: TestDns
  /** The agents of others. Only their documents are read. */
  published: TestPublishedClients
  stop: () => Promise<void>
}

/** A web app as it is served in production, the API of the starter, and a browser. */
export async function startTestWebApp(kind: WebAppKind = 'starter'): Promise<TestWebApp> {
  // A build has these addresses in it.
  const [web, secureWeb] = [await freeAddress(), await freeAddress()]
  const dns = await startTestDns()
  const published = await startPublishedClients()
  // The starter reads them as it is loaded.
  process.env.SUPPORT_SESSIONS = 'code'
  process.env.DNS_SERVERS = dns.resolver.getServers().join(',')
  process.env.CLIENT_DOCUMENT_HOSTS = published.host
  const { default: server } = await import('../../api/server.ts')
  const providers = await startTestProviders()
  const api = await startTestAuth({
    definition: server.origins(web, secureWeb),
    // Mailed links and providers lead to the web app.
    env: {
      ...providers.env,
      SVC_AUTH_VERIFICATION_TOKEN_SECRET: verificationSecret,
      SVC_AUTH_TOKEN_ENCRYPTION_KEYS: `tests:${encryptionKey}`,
      SVC_APP_URL: web,
    },
  })
  const clock = keepInStep(api.clock)
  const env = webEnvironment(api.url, web)
  const [folder, chromium] = await Promise.all([buildWebApp(env, kind), launchBrowser()])
  const served = await Promise.all([
    serveUntilReady({ folder, url: web, env: { ...env, SVC_AUTH_COOKIE_SECURE: 'off' } }),
    // Cookies are Secure in production without the variable.
    serveUntilReady({ folder, url: secureWeb, env }),
  ])

  async function stop() {
    clock.stop()
    await Promise.all([chromium.stop(), ...served.map((each) => each.stop())])
    await Promise.all([api.stop(), providers.stop()])
    dns.stop()
    published.stop()
    rmSync(folder, { recursive: true })
  }

  const { browser } = chromium
  const outside = { browser, providers, dns, published }
  return { api, clock, env, folder, served, web, secureWeb, ...outside, stop }
}

function webEnvironment(api: string, web: string): NodeJS.ProcessEnv {
  return {
    // Next starts Node by its name.
    PATH: dirname(process.execPath),
    NODE_ENV: 'production',
    NEXT_TELEMETRY_DISABLED: '1',
    SVC_API_URL: api,
    NEXT_PUBLIC_SVC_API_URL: api,
    NEXT_PUBLIC_SVC_APP_URL: web,
    SVC_AUTH_SESSION_SECRET: sessionSecret,
  }
}

/** An address without a server. */
export async function freeAddress() {
  const listening = createServer().listen(0)
  await once(listening, 'listening')
  const { port } = listening.address() as AddressInfo // never a pipe: it listens on a port
  listening.close()
  return `http://localhost:${port}`
}
