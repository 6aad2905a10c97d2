import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createApplication } from '../testing/application.ts'
import { freePort, runDev, within } from '../testing/run-dev.ts'

const main = `import { runServer } from '@svc/core'
import server from './server.ts'

await runServer(server)
`

const server = `import { defineRouter, defineServer, route } from '@svc/core'
import { word } from './word.ts'

const say = route.get('/word').handler(() => ({ word }))

export default defineServer()
  .routes(defineRouter({ say }))
  .lifecycle({ name: 'last', beforeShutdown: () => console.log('closing') })
`

const ofTables = `import { defineRouter, defineServer, route } from '@svc/core'
import { orders } from './schema.ts'

const countOrders = route.get('/orders').handler(async (c) => ({ count: await c.db.$count(orders) }))

export default defineServer()
  .routes(defineRouter({ countOrders }))
  .database({ schema: { orders }, migrations: new URL('./migrations/', import.meta.url) })
`

const schema = `import { pgTable, text } from 'drizzle-orm/pg-core'

export const orders = pgTable('orders', { id: text().primaryKey() })
`

const files = {
  'package.json': '{ "type": "module" }',
  'main.ts': main,
  'server.ts': server,
  'word.ts': `export const word = 'first'`,
}

async function develop(more: Record<string, string> = {}, env: NodeJS.ProcessEnv = {}) {
  const application = await createApplication({ ...files, ...more })
  onTestFinished(() => application.remove())
  return { application, dev: await runDev(application.root, env) }
}

type Development = Awaited<ReturnType<typeof develop>>['dev']

async function wordOf({ url }: Development) {
  const { word } = (await (await fetch(`${url}/word`)).json()) as { word: string }
  return word
}

describe('svc dev', { timeout: 120_000 }, () => {
  it('starts the API again when a file changes, also a broken one, and ends it in order', async () => {
    const { application, dev } = await develop()
    await dev.said('Svc is running')
    expect(dev.output()).toContain(`API         ${dev.url}`)
    // The application has no sign-in.
    expect(dev.output()).not.toContain('Sign in')
    expect(await wordOf(dev)).toBe('first')

    dev.forget()
    await application.write('word.ts', 'export const = 1')
    await dev.said('Fix it and save, and it restarts.')
    expect(dev.output()).toMatch(
      /^API │ word.ts:1\nAPI │ export const = 1\nAPI │ +\^\nAPI │ SyntaxError: .+\nsvc │ /m,
    )
    const refused = await fetch(`${dev.url}/word`)
    expect(refused.status).toBe(503)
    expect(await refused.json()).toMatchObject({
      error: { code: 'ServiceUnavailableError', message: expect.stringContaining('svc dev') },
    })

    await application.write('word.ts', `export const word = 'second'`)
    await dev.said('reloaded in ')
    expect(await wordOf(dev)).toBe('second')

    dev.forget()
    expect(await dev.interrupt()).toBe(0)
    expect(dev.output()).toContain('API │ closing')
  })

  it('lets requests wait while the API starts again: none is refused, none gets the old answer', async () => {
    const { application, dev } = await develop()
    await dev.said('Svc is running')
    for (const word of ['second', 'third']) {
      dev.forget()
      await application.write('word.ts', `export const word = '${word}'`)
      await dev.said('API │ closing')
      const words = await Promise.all(Array.from({ length: 20 }, () => wordOf(dev)))
      expect(new Set(words)).toEqual(new Set([word]))
      await dev.said('reloaded in ')
    }
  })

  it('says that it has to be started again for a change of .env', async () => {
    const { application, dev } = await develop()
    await dev.said('Svc is running')
    dev.forget()
    await application.write('.env', 'SHOP_API_KEY=k')
    await dev.said('svc │ .env changed: restart svc dev to read it')
  })

  it('starts again when the file comes that was missing', async () => {
    const { application, dev } = await develop({ 'word.ts': `export { word } from './missing.ts'` })
    await dev.said('Fix it and save')
    await application.write('missing.ts', `export const word = 'found'`)
    await dev.said('Svc is running')
    expect(await wordOf(dev)).toBe('found')
  })

  it('keeps the embedded database up, and applies a migration that comes', async () => {
    const { application, dev } = await develop({
      'server.ts': ofTables,
      'schema.ts': schema,
      'migrations/0001_orders.sql': 'create table orders (id text primary key);',
    })
    await dev.said('Svc is running')
    const file = join(application.root, '.svc/data/pg/postmaster.pid')
    const postmaster = async () => (await readFile(file, 'utf8')).split('\n')[0]
    const first = await postmaster()

    await application.write('schema.ts', `${schema}// changed`)
    await dev.said('reloaded in ')
    expect(await postmaster()).toBe(first)

    dev.forget()
    const insert = `insert into orders values ('1');`
    await application.write('migrations/0002_one.sql', insert)
    await dev.said('reloaded in ')
    expect(await (await fetch(`${dev.url}/orders`)).json()).toEqual({ count: 1 })
    expect(await postmaster()).toBe(first)

    await dev.interrupt()
    await expect(postmaster()).rejects.toThrow('ENOENT')
  })

  it('writes the route map when routes change, and starts nothing again for it', async () => {
    const routeMap = 'route-map.generated.ts'
    const using = `import { routeMap } from './route-map.generated.ts'\nvoid routeMap\n${server}`
    const { application, dev } = await develop({
      [routeMap]: '// Generated by "svc generate"\nexport const routeMap = {}\n',
    })
    await dev.said('svc │ routes changed: wrote route-map.generated.ts (1 route)')
    await application.write(
      'server.ts',
      using
        .replace('{ say }', '{ say, other: say }')
        .replace("'/word'", "'/words'")
        .replace('other: say', `other: route.get('/other').handler(() => ({}))`),
    )
    await dev.said('wrote route-map.generated.ts (2 routes)')
    expect(await application.read(routeMap)).toContain("other: { method: 'GET', path: '/other' }")
    // Once for the routes, and once for the map, which this server imports.
    await vi.waitFor(() => expect(dev.output().match(/reloaded in/g)).toHaveLength(2), within)
    await new Promise((resolve) => setTimeout(resolve, 3_000))
    expect(dev.output().match(/reloaded in/g)).toHaveLength(2)
    expect(dev.output().match(/routes changed/g)).toHaveLength(2)
  })

  it('says that it wrote the route map while the API is broken, and starts nothing again for it', async () => {
    const routeMap = 'route-map.generated.ts'
    const broken = `${server}  .lifecycle({ name: 'broken', afterInfrastructure: () => Promise.reject(new Error('not yet')) })
// The look at the definition takes its time to end, as that of a large application does.
if (process.argv.includes('--routes')) {
  process.on('exit', () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5_000))
}
`
    const { application, dev } = await develop({
      [routeMap]: '// Generated by "svc generate"\nexport const routeMap = {}\n',
    })
    await dev.said(`wrote ${routeMap} (1 route)`)
    dev.forget()
    const two = broken.replace('{ say }', `{ say, other: route.get('/other').handler(() => ({})) }`)
    await application.write('server.ts', two)
    await dev.said(`svc │ routes changed: wrote ${routeMap} (2 routes)`)
    await new Promise((resolve) => setTimeout(resolve, 3_000))
    expect(dev.output().match(/Fix it and save/g)).toHaveLength(1)

    // Another save gives up the look, and nothing that it said is lost.
    dev.forget()
    await application.write('server.ts', two.replace(', other:', ', another: say, other:'))
    await vi.waitFor(
      async () => expect(await application.read(routeMap)).toContain('another'),
      within,
    )
    await application.write('word.ts', `export const word = 'second'`)
    await dev.said(`svc │ routes changed: wrote ${routeMap} (3 routes)`)
  })

  it('says which command writes the migration of a table that has changed', async () => {
    const { application, dev } = await develop({ 'server.ts': ofTables, 'schema.ts': schema })
    await dev.said(
      'svc │ tables changed: "npx @svc/cli generate --name what-changed" writes the migration',
    )
    expect((await application.svc(['generate', '--name', 'orders'])).code).toBe(0)
    await dev.said('Svc is running')
    expect(await (await fetch(`${dev.url}/orders`)).json()).toEqual({ count: 0 })
  })

  it('says it at once beside a request that needs the table', async () => {
    const { application, dev } = await develop({
      'server.ts': ofTables,
      'schema.ts': schema,
      'migrations/0001_orders.sql': 'create table orders (id text primary key);',
    })
    await dev.said('Svc is running')
    await application.write('schema.ts', schema.replace("'orders'", "'purchases'"))
    await dev.said('reloaded in ')
    dev.forget()
    expect((await fetch(`${dev.url}/orders`)).status).toBe(500)
    await dev.said('run `npx @svc/cli generate --name what-changed`')
    expect(dev.output()).toContain('API │ error: request failed GET /orders 500 requestId=')
    expect(dev.output()).toContain('API │   caused by: error: relation "purchases" does not exist')
  })

  it('writes the log for a reader', async () => {
    const { dev } = await develop({
      'server.ts': ofTables,
      'schema.ts': schema,
      'migrations/0001_orders.sql': 'create table orders (id text primary key);',
      'migrations/0002_lines.sql': 'create table lines (id text primary key);',
    })
    await dev.said('Svc is running')
    expect(dev.output()).toContain(
      'API │ migrations applied: 6 of svc-core, 0001_orders.sql, 0002_lines.sql\n',
    )
    expect(dev.output()).toContain(`API │ listening url=${dev.url}\n`)
  })

  it.each([
    ['localhost, as the API does,', {}, 'localhost'],
    ['the address of SVC_HOST', { SVC_HOST: '127.0.0.2' }, '127.0.0.2'],
    ['every address, as SVC_HOST says', { SVC_HOST: '::' }, '::'],
  ])('has the web app listen on %s', async (_, given, hostname) => {
    const PORT = `${await freePort()}`
    const { dev } = await develop(
      {
        'web/package.json': '{}',
        'web/next.config.js': '',
        'web/node_modules/next/dist/bin/next': nextInPlace,
      },
      { PORT, ...given },
    )
    await dev.said(`Web app │ next dev --port ${PORT} --hostname ${hostname}`)
  })
})

/** Stands in for Next's command. */
const nextInPlace = `
const [, , ...args] = process.argv
console.log(['next', ...args].join(' '))
require('node:http').createServer((_, response) => response.end()).listen(Number(args[2]))`
