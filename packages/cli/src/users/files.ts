import { createWriteStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { extname, resolve } from 'node:path'
import { CommandFailure } from '../failure.ts'

const containers = {
  '.csv': 'csv',
  '.jsonl': 'jsonl',
  '.ndjson': 'jsonl',
  '.json': 'json',
} as const

/** The whole path of a file that is there. */
export async function exportFile(given: string) {
  const file = resolve(given)
  const found = await stat(file).catch(() => null)
  if (found?.isFile()) return file
  throw new CommandFailure(`There is no file ${given}.`)
}

/** By its name: what a file says of itself first may be anything. */
export function containerOf(file: string) {
  const extension = extname(file).toLowerCase()
  const container = containers[extension as keyof typeof containers]
  if (container) return container
  throw new CommandFailure(
    `${file} says not what it is made of: name it .csv, .jsonl (one JSON object a line) or .json.`,
  )
}

export interface Report {
  /** Waits while the disk is slower than the database. */
  write(line: object): Promise<void>
  close(): Promise<void>
}

/** JSON Lines. It has addresses in it, so nobody else may read it. */
export function openReport(file: string | undefined): Report {
  if (file === undefined) return { write: async () => {}, close: async () => {} }
  const stream = createWriteStream(file, { mode: 0o600 })
  const failed = new Promise<never>((_, reject) => {
    stream.once('error', () =>
      reject(new CommandFailure(`The report cannot be written to ${file}.`)),
    )
  })
  failed.catch(() => {})
  return {
    write: (line) => Promise.race([written(stream, `${JSON.stringify(line)}\n`), failed]),
    close: () => Promise.race([new Promise<void>((done) => stream.end(done)), failed]),
  }
}

function written(stream: ReturnType<typeof createWriteStream>, text: string) {
  if (stream.write(text)) return Promise.resolve()
  return new Promise<void>((resume) => stream.once('drain', resume))
}
