import type { IncomingMessage } from 'node:http'
import {
  BadRequestError,
  MethodNotAllowedError,
  NotFoundError,
  ServiceUnavailableError,
} from '../errors/contract.ts'
import {
  answerError,
  createTimeLimit,
  type Dispatch,
  sendAnswer,
  sendResponse,
} from '../http/http.ts'
import type { Infrastructure } from '../infrastructure/infrastructure.ts'
import type { GuardChain } from '../proxy-guard/proxy-guard.ts'
import { Answer, type AnswerHeaders } from '../request/client.ts'
import { pathSegments, RawContext } from '../request/request.ts'
import { boundOf, isInFile, type Method, type Operation } from '../routes/contract.ts'
import {
  bindRoute,
  type Chain,
  createPathTree,
  type PathTree,
  type TableRow,
} from '../routes/routes.ts'
import type { Requests } from '../telemetry/telemetry.ts'

/**
 * Compiles every route. Nothing is connected yet: a schema that can't be compiled stops the boot
 * first.
 */
export function bindRoutes(table: readonly TableRow[], guard: GuardChain, requests?: Requests) {
  const tree = createPathTree<Chain>()
  for (const row of table) {
    const { operation } = row.route
    const chain = bindRoute(requests ? requests.row(row) : row)
    // Around the guard, because it reads the body of requests that the web proxy has signed.
    const guarded = withBody(row.unguarded ? chain : guard(chain), operation)
    tree.add(operation.method, operation.path, requests ? requests.route(row, guarded) : guarded)
  }
  return { tree, guard }
}

function withBody(chain: Chain, operation: Operation): Chain {
  const maxBodyBytes = boundOf(operation)
  if (maxBodyBytes === undefined) return chain
  const isSpooled = isInFile(operation)
  return (c) => {
    c.maxBodyBytes = maxBodyBytes
    c.isSpooled = isSpooled
    return chain(c)
  }
}

/** Everything that a server does with a request: finds the route, runs it and writes its answer. */
export function createDispatch(
  { tree, guard }: ReturnType<typeof bindRoutes>,
  server: Infrastructure,
): Dispatch {
  const limit = createTimeLimit(server.handlerLimitMillis, expire)
  return (incoming, outgoing) => {
    const segments = pathSegments(incoming.url ?? '/')
    const found = segments && tree.find(methodOf(incoming), segments)
    const c = new RawContext({ incoming, outgoing }, server, found ? found.parameters : {})
    const isServed = found && hasUsableHost(incoming)
    // Refusals are guarded too: a client that may not ask must not learn which routes exist.
    const run = isServed ? found.leaf : guard(refuse(tree, segments, found !== null))
    const entry = limit.start(c)
    const fail = (error: unknown) => {
      limit.end(entry)
      sendError(c, error)
    }
    try {
      run(c).then(() => {
        limit.end(entry)
        finish(c)
      }, fail)
    } catch (error) {
      fail(error)
    }
  }
}

/** A handler that never answers must not hold its caller, or a shutdown, for ever. */
function expire(c: RawContext) {
  sendError(
    c,
    new ServiceUnavailableError({ message: 'The server took too long to answer. Try again.' }),
  )
}

/** HEAD is handled like GET. Node leaves the body out. */
function methodOf({ method }: IncomingMessage) {
  return (method === 'HEAD' ? 'GET' : method) as Method
}

/** RFC 9112, 3.2: a request without a usable Host is refused, on every path. */
function hasUsableHost({ headers, httpVersionMinor }: IncomingMessage) {
  const { host } = headers
  return host === undefined ? httpVersionMinor === 0 : /^[\w.:[\]-]*$/.test(host)
}

function refuse(tree: PathTree<Chain>, segments: string[] | null, known: boolean): Chain {
  return async () => {
    if (known) throw new BadRequestError({ message: 'The Host header is not valid.' })
    const allow: string[] = segments ? tree.methodsOf(segments) : []
    if (allow.length === 0) throw new NotFoundError({ resource: 'Route' })
    throw new MethodNotAllowedError({ allow: allow.includes('GET') ? [...allow, 'HEAD'] : allow })
  }
}

function finish(c: RawContext) {
  // The time limit has answered already.
  if (c.outgoing.headersSent) return
  try {
    if (!c.answer) throw new Error('The route did not answer.')
    if (c.answer instanceof Answer) sendAnswer(c, c.answer)
    else sendResponse(c, c.answer).catch((error: unknown) => failToSend(c, error))
  } catch (error) {
    failToSend(c, error)
  }
}

function failToSend(c: RawContext, error: unknown) {
  dropHeaders(c)
  sendError(c, error)
}

/** Nothing that an application throws or sets may escape from here: that would end the process. */
function sendError(c: RawContext, error: unknown) {
  try {
    writeError(c, error)
  } catch (unwritable) {
    // A field or a header of it can't be sent. Then it is a bug like any other, and is answered
    // without them.
    dropHeaders(c)
    try {
      writeError(c, unwritable)
    } catch {
      c.outgoing.destroy()
    }
  }
}

function writeError(c: RawContext, error: unknown) {
  const answer = answerError(error, c)
  if (c.outgoing.headersSent) return
  keepForError(c, c.headers ?? {})
  sendAnswer(c, answer)
}

const describesBody =
  /^(?:content-(?!security)|etag$|last-modified$|expires$|accept-ranges$|transfer-encoding$)/

/**
 * Headers that a handler has set for its own answer must not be sent with the error, and no cache
 * may keep an error.
 */
function keepForError(c: RawContext, headers: AnswerHeaders) {
  for (const name of Object.keys(headers)) if (describesBody.test(name)) c.header(name)
  c.header('cache-control', 'no-store')
}

function dropHeaders(c: RawContext) {
  for (const name of Object.keys(c.headers ?? {})) c.header(name)
  // If origins are listed, Node keeps the headers of a head that it could not write.
  for (const name of c.outgoing.getHeaderNames()) {
    if (!/^(?:vary|access-control-.*)$/.test(name)) c.outgoing.removeHeader(name)
  }
  // Node keeps the reason phrase that it could not write.
  c.outgoing.statusMessage = ''
}
