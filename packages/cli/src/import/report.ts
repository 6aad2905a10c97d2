import { constants, type WriteStream } from 'node:fs'
import { type FileHandle, open, stat } from 'node:fs/promises'
import { CommandFailure } from '../failure.ts'

export interface Report {
  /** Waits if the disk is slower than the database. */
  write(line: object): Promise<void>
  close(): Promise<void>
}

interface Files {
  report: string | undefined
  /** The import must not overwrite it with the report. */
  exported: string
}

/** JSON Lines. It has addresses in it, so only its owner may read it. */
export async function openReport({ report, exported }: Files): Promise<Report> {
  if (report === undefined) return { write: async () => {}, close: async () => {} }
  const unwritable = new CommandFailure(
    `The report cannot be written to ${report}. Give --report a file in a folder where you may write.`,
  )
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
  // Keep the content until it is known that the file is not the export.
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

/** Compares the files, not their names: a link has another name. */
async function refuseExport(handle: FileHandle, exported: string) {
  const found = await handle.stat({ bigint: true })
  const { dev, ino } = await stat(exported, { bigint: true })
  if (found.dev !== dev || found.ino !== ino) return
  throw new CommandFailure('The report would overwrite the export: give --report another file.')
}

/** An existing file may have been readable to others. A pipe is left as it is. */
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
