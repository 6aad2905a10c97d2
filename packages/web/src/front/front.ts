import { randomUUID } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import type { Duplex } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import { drain, lingerAfter, listen, refuseOnSocket, startLeaving } from '@svc/core/http'
import { refusal } from '@svc/core/proxy'
import { createFront, type Handle } from './create-front.ts'
import { methodRefused } from './refusals.ts'

/** The built web app, where it listens, and how it stops. */
export interface ServedWebAppOptions {
  /** The folder of the built web app. */
  folder: string
  port: number
  /** Every address of the machine unless set. */
  host?: string | undefined
  /** How long it continues as usual once it stops, so that balancers notice. No time unless set. */
  delayMillis?: number | undefined
}

/** A web app that runs, at `url`. */
export interface ServedWebApp {
  url: string
  /**
   * Reports not ready, accepts no new requests after the delay, and resolves when the running ones
   * are answered.
   */
  stop: () => Promise<void>
}

// Those of the API: see `ServerDefinition.limits`.
const limits = { requestMillis: 30_000, handlerMillis: 60_000 }

/** Serves a built Next app behind a front that refuses requests which Next would fail on. */
export async function serveWebApp({
  folder,
  port,
  host,
  delayMillis = 0,
}: ServedWebAppOptions): Promise<ServedWebApp> {
  // Next would handle upgrades on the server it finds: this one has no port, so it gets none.
  const httpServer = createServer()
  const dir = resolve(folder)
  const app = nextOf(dir)({ dev: false, dir, port, httpServer, ...(host && { hostname: host }) })
  await app.prepare()
  const state = { isStopping: false }
  const setBy = { port: 'PORT', host: '--hostname' }
  const front = createFront(app.getRequestHandler(), state)
  const { http, url } = await listen(front, { port, host, limits, setBy })
  http.on('connect', (_incoming, socket) => refuseTunnel(socket))
  async function stop() {
    state.isStopping = true
    startLeaving(http)
    if (delayMillis > 0) await wait(delayMillis)
    await drain(http, lingerAfter(delayMillis))
    await app.close()
  }
  return { url, stop }
}

function refuseTunnel(socket: Duplex) {
  const requestId = randomUUID()
  refuseOnSocket(socket, refusal(methodRefused(), { requestId }), { 'x-request-id': requestId })
}

// Next's own types would force every program that uses these to declare NODE_ENV.
type CreateNext = (options: {
  dev: false
  dir: string
  port: number
  hostname?: string
  httpServer: Server
}) => { prepare(): Promise<void>; getRequestHandler(): Handle; close(): Promise<void> }

/** The Next of the app, also if this package is installed elsewhere. */
function nextOf(folder: string): CreateNext {
  return createRequire(join(folder, 'package.json'))('next')
}
