import { randomBytes } from 'node:crypto'
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Message, Transport } from './message.ts'

/** One JSON file for each message, readable only by this user, because it contains the code. */
export function fileTransport(directory: string): Transport {
  let sequence = 0
  return async (message) => {
    sequence += 1
    const name = fileName(message, sequence)
    await makeOutbox(directory)
    // A reader of *.json sees a whole message or none.
    const unfinished = join(directory, `.${name}.tmp`)
    const text = `${JSON.stringify(message, null, 2)}\n`
    await writeFile(unfinished, text, { flag: 'wx', mode: 0o600 })
    await rename(unfinished, join(directory, `${name}.json`))
  }
}

/** Sorts by time, then by order; the random end keeps two processes apart. */
function fileName({ sentAt, channel }: Message, sequence: number) {
  const order = String(sequence).padStart(8, '0')
  return `${sentAt.replaceAll(':', '-')}-${order}-${channel}-${randomBytes(4).toString('hex')}`
}

async function makeOutbox(directory: string) {
  // Other users may need the folder above: an embedded database may run below it as another user.
  await mkdir(dirname(directory), { recursive: true })
  await mkdir(directory, { recursive: true, mode: 0o700 })
}
