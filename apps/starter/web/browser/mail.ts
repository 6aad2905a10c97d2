import { setTimeout as wait } from 'node:timers/promises'
import { app } from './running-web-app.ts'

/** The code that was mailed there. The app answers before the message has left. */
export async function codeSentTo(email: string) {
  for (let tries = 0; tries < 500; tries += 1) {
    const code = /\b\d{6}\b/.exec((await app.api.messagesTo(email)).at(-1)?.text ?? '')
    if (code) return code[0]
    await wait(20)
  }
  throw new Error(`Nothing was sent to ${email}.`)
}

/** The path of the link that is mailed there while `ask` runs, or soon after. It leads to the web app. */
export async function linkSentBy(
  ask: () => Promise<unknown>,
  email: string,
  template: Parameters<typeof app.api.sentBy>[2],
) {
  const { text } = await app.api.sentBy(ask, email, template)
  const { origin, pathname, search } = new URL(/http\S+[?&]token=[\w-]+/.exec(text)?.[0] ?? '')
  if (origin !== app.web) throw new Error(`The link leads to ${origin}.`)
  return `${pathname}${search}`
}
