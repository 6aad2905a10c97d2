import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { isThenable } from '../infrastructure/infrastructure.ts'
import type { Observer } from '../observation/observation.ts'
import { Route } from '../routes/contract.ts'
import type { Chain, TableRow } from '../routes/routes.ts'

/** The facts of a request: nothing that its sender has chosen, except the id that logs have. */
export interface WatchedRequest {
  readonly method: string
  readonly beganAt: number
  /** The pattern, such as `/orders/:orderId`; undefined if no route matches. */
  route: string | undefined
  requestId: string | undefined
  /** The code that it was refused with. */
  refusal: string | undefined
  hasEnded: boolean
}

/** How a request ended. Without a status if its client had left before. */
export interface RequestEnd {
  readonly status: number | null
  readonly seconds: number
}

export interface RequestWatcher {
  /** Runs the code that answers it, and returns a function to call at the end. */
  begin(
    request: WatchedRequest,
    incoming: IncomingMessage,
    answer: () => void,
  ): (end: RequestEnd) => void
}

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

// On the message itself: a WeakMap with short-lived keys costs the garbage collector more than the
// request costs the server.
const watched = Symbol('svc.request')

interface Known {
  [watched]?: WatchedRequest & { end: () => void }
}

/** The facts of a request, if its server is watched. */
export function watchedRequest(incoming: object): WatchedRequest | undefined {
  return (incoming as Known)[watched]
}

/** The requests of a server, from their first line to the end of their answer. */
export class Requests {
  readonly #watchers: readonly RequestWatcher[]
  readonly #observer: Observer

  constructor(watchers: readonly RequestWatcher[], observer: Observer) {
    this.#watchers = watchers
    this.#observer = observer
  }

  /** Around every answer of a server. */
  dispatch(dispatch: RequestListener): RequestListener {
    return (incoming, outgoing) => {
      const enders: ((end: RequestEnd) => void)[] = []
      const request = this.#begin(incoming, outgoing, enders)
      outgoing.once('close', () => request.end())
      const answer = () => dispatch(incoming, outgoing)
      const run = this.#watchers.reduce<() => void>(
        (inner, watcher) => () => void enders.push(watcher.begin(request, incoming, inner)),
        answer,
      )
      run()
    }
  }

  #begin(
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    enders: readonly ((end: RequestEnd) => void)[],
  ) {
    const { method = '' } = incoming
    const beganAt = performance.now()
    const request = {
      method: methods.has(method) ? method : '_OTHER',
      beganAt,
      route: undefined,
      requestId: undefined,
      refusal: undefined,
      hasEnded: false,
      end() {
        if (request.hasEnded) return
        request.hasEnded = true
        const status = outgoing.headersSent ? outgoing.statusCode : null
        const end = { status, seconds: (performance.now() - beganAt) / 1000 }
        for (const each of enders) each(end)
      },
    }
    ;(incoming as Known)[watched] = request
    return request
  }

  /** Around one route, and around the guard before it. */
  route({ route }: TableRow, chain: Chain): Chain {
    const { path } = route.operation
    return (c) => {
      const request = (c.incoming as Known)[watched]
      if (!request) return chain(c)
      request.route = path
      request.requestId = c.requestId
      return chain(c).then(() => {
        // An event stream: it is open for hours, and was answered now.
        if (c.outgoing.headersSent && !c.outgoing.writableEnded) request.end()
      })
    }
  }

  /** The same row, with its handler as a step. */
  row(row: TableRow): TableRow {
    const { operation, binding } = row.route
    const { handler } = binding
    if (!handler) return row
    const step = { kind: 'handler', name: row.name } as const
    const stepped: typeof handler = (c) =>
      this.#observer.around(step, () => {
        const returned = handler(c)
        // A query runs each time that it is awaited.
        return isThenable(returned) ? Promise.resolve(returned) : returned
      })
    return { ...row, route: new Route(operation, { ...binding, handler: stepped }) }
  }
}
