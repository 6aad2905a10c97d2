import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { shippedPages } from '../../packages/cli/src/documentation/pages.ts'

// The pages that an installed `svc docs search` reads. Runs before `svc` is packed.
const root = resolve(import.meta.dirname, '../..')
const from = join(root, 'docs')
const to = join(root, 'packages/cli/dist/docs')
const pages = shippedPages(from)

for (const page of pages) {
  const file = join(to, page)
  mkdirSync(dirname(file), { recursive: true })
  // In one step, because packages may be packed twice at once.
  writeFileSync(`${file}.${process.pid}`, readFileSync(join(from, page)))
  renameSync(`${file}.${process.pid}`, file)
}
for (const page of existsSync(to) ? shippedPages(to) : []) {
  if (!pages.includes(page)) rmSync(join(to, page))
}
