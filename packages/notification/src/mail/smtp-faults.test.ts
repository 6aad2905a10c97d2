import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { afterAll, describe, expect, it } from 'vitest'
import { failureOf } from '../delivery/errors.ts'
import type { Message } from '../delivery/message.ts'
import { readNotificationEnv } from '../env.ts'
import { mailTransport } from './mail.ts'

const message: Message = {
  channel: 'mail',
  to: 'ada@example.com',
  subject: '482913 is your code',
  text: '482913\n',
  template: 'verification-code',
  sentAt: '2026-03-01T12:00:00.000Z',
}

type Moment = 'greeting' | 'EHLO' | 'MAIL' | 'RCPT' | 'DATA' | 'line' | 'end'
type Script = Partial<Record<Moment, string>>

const well: Record<Moment, string> = {
  greeting: '220 mail',
  EHLO: '250 mail',
  MAIL: '250 ok',
  RCPT: '250 ok',
  DATA: '354 go on',
  line: '',
  end: '250 taken',
}
const hangUp = 'hang up'

const closing: (() => void)[] = []
afterAll(() => {
  for (const close of closing) close()
})

/** A mail server that says these lines at these moments, a script for each connection; then all goes well. */
async function startScripted(...scripts: Script[]) {
  const taken: string[] = []
  const server = createServer((socket) => void play(socket, { ...well, ...scripts.shift() }, taken))
  server.listen(0, '127.0.0.1')
  closing.push(() => server.close())
  await once(server, 'listening')
  return { url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}?tls=off`, taken }
}

async function play(socket: Socket, script: Record<Moment, string>, taken: string[]) {
  socket.on('error', () => {})
  const say = (line: string) => {
    if (line === hangUp) socket.destroy()
    else if (line !== '') socket.write(`${line}\r\n`)
  }
  say(script.greeting)
  let text: string | null = null
  for await (const line of createInterface({ input: socket })) {
    // What came in one packet with the line that was too much.
    if (socket.destroyed) return
    const moment = momentOf(line, text !== null)
    if (moment === 'DATA') text = ''
    if (moment === 'line') text += `${line}\n`
    if (moment === 'end' && script.end.startsWith('250')) taken.push(text ?? '')
    if (moment === 'end') text = null
    say(moment === 'QUIT' ? hangUp : script[moment])
  }
}

function momentOf(line: string, isInMessage: boolean) {
  if (isInMessage) return line === '.' ? 'end' : 'line'
  return line.slice(0, 4) as 'EHLO' | 'MAIL' | 'RCPT' | 'DATA' | 'QUIT' // nodemailer's verbs
}

function transportTo(url: string) {
  const env = { SVC_MAIL_URL: url, SVC_MAIL_FROM: 'Svc <no-reply@example.com>' }
  const transport = mailTransport(readNotificationEnv(env))
  if (transport === null) throw new Error('This address sends nothing.')
  return (sent: Message) =>
    transport(sent).then(
      () => null,
      (thrown: unknown) => failureOf(thrown),
    )
}

describe('a mail server at fault', () => {
  const secret = 'hunter2 482913'
  const refusals: [how: string, script: Script, status: number][] = [
    ['has no room for the connection', { greeting: `421 ${secret}` }, 421],
    ['takes no connections', { greeting: `554 ${secret}` }, 554],
    ['takes no mail of ours', { MAIL: `553 ${secret}` }, 553],
    ['has greylisted us', { RCPT: `450 ${secret}` }, 450],
    ['knows no such recipient', { RCPT: `550 ${secret}` }, 550],
    ['has a full disk', { DATA: `452 ${secret}` }, 452],
    ['fails when it has the message', { end: `451 ${secret}` }, 451],
    ['refuses what the message says', { end: `554-${secret}\r\n554 ${secret}` }, 554],
  ]
  it.each(refusals)('is quoted by its number when it %s', async (_how, script, status) => {
    const { url, taken } = await startScripted(script)
    expect(await transportTo(url)(message)).toEqual({
      code: expect.stringMatching(/^[A-Z]+$/),
      status,
    })
    expect(taken).toEqual([])
  })

  const ends: [how: string, script: Script][] = [
    ['before it greets', { greeting: hangUp }],
    ['when it is greeted', { EHLO: hangUp }],
    ['before the message', { DATA: hangUp }],
    ['in the middle of the message', { line: hangUp }],
    ['when it has the message', { end: hangUp }],
    ['having answered what is no SMTP', { greeting: 'HTTP/1.1 400 Bad Request' }],
  ]
  it.each(ends)('is a failure when it hangs up %s', async (_how, script) => {
    const { url, taken } = await startScripted(script)
    const failed = await transportTo(url)(message)
    expect(failed).toMatchObject({ code: expect.stringMatching(/^[A-Z]+$/) })
    expect(JSON.stringify(failed)).not.toContain('Bad Request')
    expect(taken).toEqual([])
  })

  it.concurrent.each([
    ['greeted', { EHLO: '' }],
    ['given the message', { end: '' }],
  ])('is given up when it falls silent once it was %s', async (_how, script) => {
    const { url } = await startScripted(script)
    expect(await transportTo(url)(message)).toEqual({ code: 'ETIMEDOUT' })
  })

  it('stands in the way of no later message', async () => {
    const { url, taken } = await startScripted(
      { greeting: hangUp },
      { line: hangUp },
      { end: '451' },
    )
    const send = transportTo(url)
    for (let failing = 0; failing < 3; failing += 1) expect(await send(message)).not.toBeNull()
    expect(await send(message)).toBeNull()
    expect(taken).toEqual([expect.stringContaining('\n482913\n')])
  })
})
