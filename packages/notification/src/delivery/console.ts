import { inert } from '../templates/templates.ts'
import type { Message } from './message.ts'

/** Prints the message instead of sending it, for development without an outbox. */
export async function consoleTransport(message: Message) {
  process.stdout.write(readable(message))
}

function readable({ channel, to, subject, text }: Message) {
  const lines = [
    `${channel === 'mail' ? 'Mail' : 'Text message'} to ${to}`,
    ...(subject === undefined ? [] : [subject, '']),
    ...text.trimEnd().split('\n'),
  ]
  // A terminal obeys control characters.
  return `\n${lines.map((line) => `  │ ${inert(line)}`.trimEnd()).join('\n')}\n\n`
}
