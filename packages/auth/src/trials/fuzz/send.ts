import { Agent, type IncomingMessage, request } from 'node:http'
import { connect } from 'node:net'
import type { Prepared } from './prepare.ts'

export interface Answered {
  status: number
  headers: IncomingMessage['headers']
  text: string
  millis: number
}

const agent = new Agent({ keepAlive: true, maxSockets: 64 })
export const closeConnections = () => agent.destroy()

/** Sends it as it is. A stream that opens is left at once. */
export function send(origin: string, prepared: Prepared): Promise<Answered> {
  const { method, target, headers, body } = prepared
  const { hostname, port } = new URL(origin)
  const begun = performance.now()
  return new Promise((resolve, reject) => {
    const given = { ...headers, ...(body && { 'content-length': String(body.length) }) }
    const options = { hostname, port, method, path: target, headers: given }
    const isStream = target.startsWith('/events/stream')
    const asked = request({ ...options, agent: isStream ? false : agent }, (answer) => {
      const chunks: Buffer[] = []
      const end = () =>
        resolve({
          status: answer.statusCode ?? 0,
          headers: answer.headers,
          text: Buffer.concat(chunks).toString(),
          millis: performance.now() - begun,
        })
      answer.on('data', (chunk: Buffer) => chunks.push(chunk))
      answer.on('end', end)
      answer.on('error', reject)
      if (answer.headers['content-type']?.startsWith('text/event-stream')) {
        end()
        asked.destroy()
      }
    })
    asked.on('error', reject)
    asked.setTimeout(30_000, () => asked.destroy(new Error('No answer came within 30 s.')))
    asked.end(body)
  })
}

/** Bytes that are no request, or hardly one. Resolves to what came back until the connection was closed. */
export function sendBytes(
  origin: string,
  bytes: string,
  end: 'ended' | 'kept open' = 'ended',
): Promise<string> {
  const { hostname, port } = new URL(origin)
  return new Promise((resolve) => {
    const socket = connect({ host: hostname, port: Number(port) })
    const chunks: Buffer[] = []
    const leave = () => {
      socket.destroy()
      resolve(Buffer.concat(chunks).toString('latin1'))
    }
    socket.on('data', (chunk: Buffer) => {
      chunks.push(chunk)
      // Whoever has an answer need not wait for the end of a connection that is kept.
      setTimeout(leave, 20)
    })
    socket.on('error', leave)
    socket.on('close', leave)
    socket.setTimeout(5000, leave)
    socket.write(Buffer.from(bytes, 'latin1'))
    if (end === 'ended') socket.end()
  })
}

/** The same with curl, to be tried by hand. */
export function asCurl(origin: string, { method, target, headers, body }: Prepared) {
  const quoted = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`
  const lines = [
    `curl -i -X ${method} --path-as-is ${quoted(`${origin}${target}`)}`,
    ...Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(body ? [`--data-binary ${quoted(body.toString().slice(0, 2000))}`] : []),
  ]
  return lines.join(' \\\n  ')
}
