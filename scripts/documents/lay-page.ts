import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { examplesOf } from './fences.ts'

const root = resolve(import.meta.dirname, '..', '..')

export type LaidPage = ReturnType<typeof layPage>

/** Writes the files of a page as they stand there, so that a test runs what a reader copies. */
export function layPage(page: string) {
  // Ignored by git, and inside the repository so that its packages are found.
  mkdirSync(join(root, '.svc'), { recursive: true })
  const folder = mkdtempSync(join(root, '.svc', 'page-'))
  for (const { name, text } of examplesOf(readFileSync(join(root, page), 'utf8'))) {
    if (name === null) continue
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  return {
    folder,
    load: (name: string) => import(join(folder, name)),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** A file of a page in another language than TypeScript: its first line names it. */
export function fileOn(page: string, name: string) {
  const text = readFileSync(join(root, page), 'utf8')
  const escaped = name.replaceAll('.', '\\.')
  const fence = new RegExp(`^\`\`\`\\w*\\n# file: ${escaped}\\n(.*?)^\`\`\`$`, 'ms')
  const [, file] = fence.exec(text) ?? []
  if (file === undefined) throw new Error(`${name} is not on ${page}.`)
  return file
}
