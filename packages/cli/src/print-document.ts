import { writeFile } from 'node:fs/promises'
import { dirname, relative } from 'node:path'
import { CommandFailure } from './failure.ts'
import { paint } from './terminal.ts'

/** Prints a document, or writes it to a file and says so. */
export async function printDocument(document: object, out: string | undefined) {
  const text = JSON.stringify(document, null, 2)
  if (!out) {
    console.log(text)
    return
  }
  await write(out, `${text}\n`)
  console.log(`${paint('green', 'wrote')} ${relative('.', out)}`)
}

async function write(out: string, text: string) {
  try {
    await writeFile(out, text)
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    throw new CommandFailure(`Nothing was written: ${reasons[code]?.(out) ?? `${out} (${code})`}.`)
  }
}

const reasons: Record<string, (out: string) => string> = {
  ENOENT: (out) => `there is no folder ${dirname(out)}`,
  ENOTDIR: (out) => `${dirname(out)} is not a folder`,
  EISDIR: (out) => `${out} is a folder, but --out needs a file`,
  EACCES: (out) => `you may not write to ${out}`,
}
