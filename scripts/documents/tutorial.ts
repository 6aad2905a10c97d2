import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { named } from '../../packages/cli/src/create/named.ts'
import { starterFiles } from '../../packages/cli/src/create/starter.ts'

/** The API, and the files of the web app that the tutorial's pages import. */
const needed = /^(package\.json|api\/|web\/(api|env|server-api|live\/stream-place)\.ts$)/

/** The files that `svc create my-app` writes, by path. */
export const application = named(starterFiles(), 'my-app')

/** Writes the files of `svc create my-app` that the tutorial's own files need. */
export function layApplication(folder: string) {
  const files = Object.entries(application).filter(([path]) => needed.test(path))
  for (const [path, text] of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  // The workspace that `npm install` would link.
  mkdirSync(join(folder, 'node_modules'))
  symlinkSync(join(folder, 'api'), join(folder, 'node_modules', 'my-app-api'), 'dir')
}
