import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { app } from './running-web-app.ts'
import { newVisitor } from './visitor.ts'

/** What Next loads on every page of any application. */
function ofNext() {
  const manifest = join(app.folder, '.next', 'build-manifest.json')
  const { rootMainFiles, polyfillFiles } = JSON.parse(readFileSync(manifest, 'utf8'))
  return [...rootMainFiles, ...polyfillFiles] as string[]
}

it('the page to sign in loads at most 34 KB of scripts beside those of Next', async () => {
  const { page, open } = await newVisitor()
  const scripts = new Map<string, number>()
  page.on('response', async (response) => {
    if (response.request().resourceType() !== 'script') return
    scripts.set(new URL(response.url()).pathname, gzipSync(await response.body()).length)
  })
  await open('/login')
  const own = [...scripts].filter(([path]) => !ofNext().some((file) => path.endsWith(file)))
  const bytes = own.reduce((sum, [, size]) => sum + size, 0)
  expect(own).not.toEqual([])
  expect(bytes, JSON.stringify(own)).toBeLessThan(34 * 1024)
})
