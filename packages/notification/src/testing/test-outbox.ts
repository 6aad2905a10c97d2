import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Message } from '../delivery/message.ts'

/**
 * A folder that a test server sends its mail and text messages to. `messagesTo` and `sentBy` read
 * them.
 */
export type TestOutbox = Awaited<ReturnType<typeof createTestOutbox>>

/** A folder that a test's server sends to: start the server with `env`, and read what it has sent. */
export async function createTestOutbox() {
  const directory = await mkdtemp(join(tmpdir(), 'svc-outbox-'))
  const url = `file:${directory}`

  /** What was sent to an address or a number so far, oldest first. */
  async function messagesTo(to: string) {
    const names = (await readdir(directory)).filter((name) => name.endsWith('.json')).toSorted()
    const texts = await Promise.all(names.map((name) => readFile(join(directory, name), 'utf8')))
    const messages: Message[] = texts.map((text) => JSON.parse(text))
    return messages.filter((message) => message.to === to)
  }

  /** The message of this name that is sent there while `ask` runs, or soon after: the caller doesn't wait for it to leave. */
  async function sentBy(ask: () => Promise<unknown>, to: string, template: string) {
    const ofTemplate = async () =>
      (await messagesTo(to)).filter((message) => message.template === template)
    const before = (await ofTemplate()).length
    await ask()
    for (let tries = 0; tries < 1000; tries += 1) {
      const message = (await ofTemplate()).at(before)
      if (message) return message
      await wait(10)
    }
    throw new Error(`No ${template} was sent to ${to}.`)
  }

  return {
    directory,
    env: { SVC_MAIL_URL: url, SVC_SMS_URL: url },
    messagesTo,
    sentBy,
    remove: () => rm(directory, { recursive: true }),
  }
}
