import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

/** A message as the outbox of a test has it. */
export interface TestMessage {
  channel: 'mail' | 'sms'
  to: string
  subject?: string
  text: string
  template: string
}

/** What was sent to an address or a number, oldest first. */
export async function messagesTo(outbox: string, to: string): Promise<TestMessage[]> {
  const names = (await readdir(outbox)).filter((name) => name.endsWith('.json')).toSorted()
  const texts = await Promise.all(names.map((name) => readFile(join(outbox, name), 'utf8')))
  return texts.map((text) => JSON.parse(text)).filter((message) => message.to === to)
}

/** The code of the message that is sent there while `ask` runs, or soon after: nobody waits for it to leave. */
export async function codeSentBy(ask: () => Promise<unknown>, outbox: string, to: string) {
  const before = (await messagesTo(outbox, to)).length
  await ask()
  for (let tries = 0; tries < 500; tries += 1) {
    const message = (await messagesTo(outbox, to)).at(before)
    if (message) return /\b\d{6}\b/.exec(message.text)?.[0] as string
    await wait(10)
  }
  throw new Error(`Nothing was sent to ${to}.`)
}
