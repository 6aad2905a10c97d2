import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { named } from '../../packages/cli/src/create/named.ts'
import { starterFiles } from '../../packages/cli/src/create/starter.ts'

/** The API, and what the tutorial's pages import of the web app. */
const needed = /^(package\.json|api\/|web\/(api|env|server-api|live\/stream-place)\.ts$)/

/** What `svc create my-app` writes, by path. */
export const application = named(starterFiles(), 'my-app')

/** Of what `svc create my-app` writes, that on which the tutorial's own files stand. */
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
