import { createSocket, type RemoteInfo } from 'node:dgram'
import { Resolver } from 'node:dns/promises'
import { once } from 'node:events'

/** TXT records, of which there may be none, a failure of the server, or no answer at all. */
type Answer = readonly string[] | 'SERVFAIL' | 'silence'

const txt = 16
const codes = { found: 0, SERVFAIL: 2, NXDOMAIN: 3 }

/** The name that a message asks for, and where its question ends. */
function readQuestion(message: Buffer) {
  const labels: string[] = []
  let at = 12
  for (let length = message[at] ?? 0; length > 0; length = message[at] ?? 0) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.').toLowerCase(), type: message.readUInt16BE(at + 1), end: at + 5 }
}

/** A text in parts of at most 255 bytes, as a record has it. */
function partsOf(text: string) {
  const bytes = Buffer.from(text)
  const parts: Buffer[] = []
  for (let at = 0; at < bytes.length; at += 255) {
    const part = bytes.subarray(at, at + 255)
    parts.push(Buffer.of(part.length), part)
  }
  return Buffer.concat(parts)
}

function recordOf(text: string) {
  const body = partsOf(text)
  const head = Buffer.alloc(12)
  // The name of the question, the type, the class IN, and a time to live of 0.
  head.writeUInt16BE(0xc00c, 0)
  head.writeUInt16BE(txt, 2)
  head.writeUInt16BE(1, 4)
  head.writeUInt16BE(body.length, 10)
  return Buffer.concat([head, body])
}

function answerTo(message: Buffer, end: number, code: number, texts: readonly string[]) {
  const head = Buffer.alloc(12)
  message.copy(head, 0, 0, 2)
  head.writeUInt16BE(0x8180 | code, 2)
  head.writeUInt16BE(1, 4)
  head.writeUInt16BE(texts.length, 6)
  return Buffer.concat([head, message.subarray(12, end), ...texts.map(recordOf)])
}

/** A name server on a port of this machine, and a resolver that asks only it. */
export async function startTestDns() {
  const socket = createSocket('udp4')
  const answers = new Map<string, Answer>()
  const asked: string[] = []

  socket.on('message', (message: Buffer, from: RemoteInfo) => {
    const { name, type, end } = readQuestion(message)
    asked.push(name)
    const answer = type === txt ? answers.get(name) : []
    if (answer === 'silence') return
    const texts = Array.isArray(answer) ? answer : []
    const code =
      answer === undefined ? codes.NXDOMAIN : answer === 'SERVFAIL' ? codes.SERVFAIL : codes.found
    socket.send(answerTo(message, end, code, texts), from.port, from.address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')

  const resolver = new Resolver({ timeout: 100, tries: 1 })
  resolver.setServers([`127.0.0.1:${socket.address().port}`])
  return {
    resolver,
    answers,
    /** Every name that was asked for. */
    asked,
    stop: () => {
      resolver.cancel()
      socket.close()
    },
  }
}
