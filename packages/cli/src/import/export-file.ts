import { stat } from 'node:fs/promises'
import { extname, resolve } from 'node:path'
import { CommandFailure } from '../failure.ts'

const containers = {
  '.csv': 'csv',
  '.jsonl': 'jsonl',
  '.ndjson': 'jsonl',
  '.json': 'json',
} as const

/** The absolute path of an existing file. */
export async function exportFile(given: string) {
  const file = resolve(given)
  const found = await stat(file).catch(() => null)
  if (found?.isFile()) return file
  throw new CommandFailure(`There is no file ${given}.`)
}

/** By its name: the beginning of a file may be anything. */
export function containerOf(given: string) {
  const extension = extname(given).toLowerCase()
  const container = containers[extension as keyof typeof containers]
  if (container) return container
  throw new CommandFailure(
    `The format of ${given} is unknown: name the file .csv, .jsonl (one JSON object a line) or .json.`,
  )
}
