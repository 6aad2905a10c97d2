import { setTimeout as wait } from 'node:timers/promises'
import { app } from './running-web-app.ts'

/** The code that was mailed there. Nobody waits for a message to leave. */
export async function codeSentTo(email: string) {
  for (let tries = 0; tries < 500; tries += 1) {
    const code = /\b\d{6}\b/.exec((await app.api.messagesTo(email)).at(-1)?.text ?? '')
    if (code) return code[0]
    await wait(20)
  }
  throw new Error(`Nothing was sent to ${email}.`)
}
