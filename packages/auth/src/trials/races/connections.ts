import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import type { PreparedRequest } from '@svc/core/client'
import type { TestAnswer } from '../../testing.ts'
import { answerLength, readAnswer } from './read-answer.ts'

/** A request that is at its server but for its last byte. */
export interface HeldRequest {
  release: () => void
  answer: Promise<TestAnswer>
}

/** Connections that stay open from one request to the next, so that a race is not one of opening them. */
export function openConnections() {
  const free = new Map<string, Idle[]>()

  async function hold(request: PreparedRequest): Promise<HeldRequest> {
    const { host, hostname, port } = new URL(request.url)
    const idle = free.get(host) ?? []
    free.set(host, idle)
    const socket = usable(idle) ?? (await open(hostname, Number(port)))
    const bytes = bytesOf(request, host)
    const answer = answerOn(socket).then((read) => {
      if (read.headers.get('connection') !== 'close')
        idle.push({ socket, since: performance.now() })
      return read
    })
    socket.write(bytes.subarray(0, -1))
    return { answer, release: () => socket.write(bytes.subarray(-1)) }
  }

  /** One request, by itself. */
  async function send(request: PreparedRequest) {
    const { release, answer } = await hold(request)
    release()
    return answer
  }

  function close() {
    for (const { socket } of [...free.values()].flat()) socket.destroy()
  }

  return { hold, send, close }
}

interface Idle {
  readonly socket: Socket
  readonly since: number
}

// Much less than a server keeps them for: none is closed while it is written to.
const mostIdleMillis = 10_000

function usable(idle: Idle[]) {
  for (let next = idle.pop(); next; next = idle.pop()) {
    if (performance.now() - next.since < mostIdleMillis && !next.socket.destroyed)
      return next.socket
    next.socket.destroy()
  }
  return undefined
}

async function open(host: string, port: number) {
  const socket = connect({ host, port, noDelay: true })
  // One that is reset while nobody waits for an answer must not end the process.
  socket.on('error', () => {})
  await once(socket, 'connect')
  return socket
}

function bytesOf({ method, url, headers, ...prepared }: PreparedRequest, host: string) {
  const body = (prepared.body ?? '') as string // it is JSON
  const { pathname, search } = new URL(url)
  const head = [
    `${method} ${pathname}${search} HTTP/1.1`,
    `host: ${host}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...(body === '' ? [] : [`content-length: ${Buffer.byteLength(body)}`]),
  ]
  return Buffer.from(`${head.join('\r\n')}\r\n\r\n${body}`)
}

function answerOn(socket: Socket) {
  return new Promise<TestAnswer>((resolve, reject) => {
    let read: Buffer = Buffer.alloc(0)
    const settle = (then: () => void) => {
      socket.off('data', onData).off('close', onClose).off('error', onClose)
      then()
    }
    const onData = (chunk: Buffer) => {
      read = read.length === 0 ? chunk : Buffer.concat([read, chunk])
      if (read.length >= answerLength(read)) settle(() => resolve(readAnswer(read.toString())))
    }
    const onClose = () =>
      settle(() => reject(new Error('The server hung up instead of answering.')))
    socket.on('data', onData).on('close', onClose).on('error', onClose)
  })
}
