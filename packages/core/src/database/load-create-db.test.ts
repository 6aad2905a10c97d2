import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

const database = new URL('../database.ts', import.meta.url).href
const loader = new URL('./load-create-db.ts', import.meta.url).href

/** What Node resolves and loads of Drizzle, in a process in which nothing else has. */
async function loadedBy(code: string) {
  const program = `
    import { registerHooks } from 'node:module'
    const seen = { resolved: 0, loaded: [] }
    registerHooks({
      resolve(specifier, context, next) {
        if (/drizzle-orm/.test(context.parentURL) && specifier.startsWith('.')) seen.resolved += 1
        return next(specifier, context)
      },
      load(url, context, next) {
        if (/drizzle-orm/.test(url)) seen.loaded.push(url)
        return next(url, context)
      },
    })
    ${code}
    console.log(JSON.stringify(seen))`
  const args = ['--conditions=svc-source', '--input-type=module', '--eval', program]
  const { stdout } = await promisify(execFile)(process.execPath, args)
  return JSON.parse(stdout) as { resolved: number; loaded: string[] }
}

const loading = `
  const { loadCreateDb } = await import('${loader}')
  await loadCreateDb()`

it('asks Node for nothing between two files of Drizzle, whose manifest is long', async () => {
  const { resolved, loaded } = await loadedBy(loading)
  expect(loaded.length).toBeGreaterThan(50)
  expect(resolved).toBe(0)
})

it('loads the very files that an application imports from Drizzle', async () => {
  const ofApplication = `await import('drizzle-orm'); await import('drizzle-orm/pg-core')`
  const { loaded } = await loadedBy(`${loading}\n${ofApplication}`)
  expect(loaded).toEqual([...new Set(loaded)])
  const { loaded: before } = await loadedBy(`${ofApplication}\n${loading}`)
  expect(loaded.toSorted()).toEqual(before.toSorted())
})

it('leaves what an application imports later to Node', async () => {
  const { resolved } = await loadedBy(`${loading}\nawait import('drizzle-orm/mysql-core')`)
  expect(resolved).toBeGreaterThan(20)
})

it('loads no Drizzle with the entry alone', async () => {
  expect((await loadedBy(`await import('${database}')`)).loaded).toEqual([])
})
