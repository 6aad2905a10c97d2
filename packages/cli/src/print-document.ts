import { writeFile } from 'node:fs/promises'
import { relative } from 'node:path'
import { paint } from './terminal.ts'

/** Prints a document, or writes the same to a file and says so. */
export async function printDocument(document: object, out: string | undefined) {
  const text = JSON.stringify(document, null, 2)
  if (!out) {
    console.log(text)
    return
  }
  await writeFile(out, `${text}\n`)
  console.log(`${paint('green', 'wrote')} ${relative('.', out)}`)
}
