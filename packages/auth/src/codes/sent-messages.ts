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

/** The message of a template that is sent there while `ask` runs, or soon after: nobody waits for it to leave. */
export async function sentBy(ask: () => Promise<unknown>, { outbox, to, template }: Expected) {
  const ofTemplate = async () =>
    (await messagesTo(outbox, to)).filter((message) => message.template === template)
  const before = (await ofTemplate()).length
  await ask()
  for (let tries = 0; tries < 1000; tries += 1) {
    const message = (await ofTemplate()).at(before)
    if (message) return message
    await wait(10)
  }
  throw new Error(`No ${template} was sent to ${to}.`)
}

interface Expected {
  outbox: string
  to: string
  template: string
}

export const codeIn = ({ text }: TestMessage) => /\b\d{6}\b/.exec(text)?.[0] as string

/** The token of the link in a message. */
export const tokenIn = ({ text }: TestMessage) => /[?&]token=([\w-]+)/.exec(text)?.[1] as string
