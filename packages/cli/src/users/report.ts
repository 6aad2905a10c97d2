import { constants, type WriteStream } from 'node:fs'
import { type FileHandle, open, stat } from 'node:fs/promises'
import { CommandFailure } from '../failure.ts'

export interface Report {
  /** Waits while the disk is slower than the database. */
  write(line: object): Promise<void>
  close(): Promise<void>
}

interface Files {
  report: string | undefined
  /** It must outlive the report. */
  exported: string
}

/** JSON Lines. It has addresses in it, so nobody else may read it. */
export async function openReport({ report, exported }: Files): Promise<Report> {
  if (report === undefined) return { write: async () => {}, close: async () => {} }
  const unwritable = new CommandFailure(`The report cannot be written to ${report}.`)
  const handle = await openEmpty(report, exported).catch((error) => {
    throw error instanceof CommandFailure ? error : unwritable
  })
  const stream = handle.createWriteStream()
  const failed = new Promise<never>((_, reject) => {
    stream.once('error', () => reject(unwritable))
  })
  failed.catch(() => {})
  return {
    write: (line) => Promise.race([written(stream, `${JSON.stringify(line)}\n`), failed]),
    close: () => Promise.race([new Promise<void>((done) => stream.end(done)), failed]),
  }
}

async function openEmpty(report: string, exported: string) {
  // Whatever is in it stays until it is known to be no export.
  const handle = await open(report, constants.O_WRONLY | constants.O_CREAT, 0o600)
  try {
    await refuseExport(handle, exported)
    await clear(handle)
  } catch (error) {
    await handle.close()
    throw error
  }
  return handle
}

/** By the file and not by its name, as a link has another. */
async function refuseExport(handle: FileHandle, exported: string) {
  const found = await handle.stat({ bigint: true })
  const { dev, ino } = await stat(exported, { bigint: true })
  if (found.dev !== dev || found.ino !== ino) return
  throw new CommandFailure('The report would overwrite the export: give --report another file.')
}

/** A file that was there may have been open to others. A pipe is left as it is. */
async function clear(handle: FileHandle) {
  const found = await handle.stat()
  if (!found.isFile()) return
  await handle.chmod(0o600)
  await handle.truncate()
}

function written(stream: WriteStream, text: string) {
  if (stream.write(text)) return Promise.resolve()
  return new Promise<void>((resume) => stream.once('drain', resume))
}
