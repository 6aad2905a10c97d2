import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { rename, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { SMTPServer } from 'smtp-server'

/** Which letter it is: a mail does not name its template, but it has a link, or a code. */
const templates: [RegExp, string][] = [
  [/\/signup\/confirm\?/, 'signup-link'],
  [/\/password\/reset\?/, 'password-reset'],
  [/\/account\/revoke-all\?/, 'revoke-all'],
  [/\/account\/undo\?/, 'contact-changed'],
  [/\/account\/keep-factor\?/, 'factor-removal-asked'],
  [/\/invitation\?/, 'invitation'],
  [/^\s*\d{6}\s*$/m, 'verification-code'],
]

/** A mail provider that puts what it takes where the test kit reads messages. */
export async function startMailProvider() {
  const taken: string[] = []
  let outbox = ''
  const server = new SMTPServer({
    authOptional: true,
    logger: false,
    closeTimeout: 100,
    async onData(stream, { envelope }, callback) {
      const text = decoded(Buffer.concat(await stream.toArray()).toString())
      taken.push(text)
      const template = templates.find(([has]) => has.test(text))?.[1] ?? 'notice'
      const to = envelope.rcptTo[0]?.address ?? ''
      const path = join(outbox, `${String(taken.length).padStart(6, '0')}-${randomUUID()}`)
      await writeFile(path, JSON.stringify({ channel: 'mail', to, text, template }))
      // Whole, for whoever looks meanwhile.
      await rename(path, `${path}.json`)
      callback()
    },
  })
  server.on('error', () => {})
  const listener = server.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  return {
    url: `smtp://127.0.0.1:${(listener.address() as AddressInfo).port}?tls=optional`,
    taken,
    deliverTo(folder: string) {
      outbox = folder
    },
    stop: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}

/** Quoted-printable, which is what nodemailer makes of long lines. */
function decoded(text: string) {
  return text
    .replaceAll(/=\r?\n/g, '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    )
}
