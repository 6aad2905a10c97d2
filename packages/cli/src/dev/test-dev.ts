import { onTestFinished } from 'vitest'
import { createApplication } from '../testing/application.ts'
import { runDev } from '../testing/run-dev.ts'

const main = `import { runServer } from '@svc/core'
import server from './server.ts'

await runServer(server)
`

export const server = `import { defineRouter, defineServer, route } from '@svc/core'
import { word } from './word.ts'

const say = route.get('/word').handler(() => ({ word }))

export default defineServer()
  .routes(defineRouter({ say }))
  .lifecycle({ name: 'last', beforeShutdown: () => console.log('closing') })
`

export const ofTables = `import { defineRouter, defineServer, route } from '@svc/core'
import { orders } from './schema.ts'

const countOrders = route.get('/orders').handler(async (c) => ({ count: await c.db.$count(orders) }))

export default defineServer()
  .routes(defineRouter({ countOrders }))
  .database({ schema: { orders }, migrations: new URL('./migrations/', import.meta.url) })
`

export const schema = `import { pgTable, text } from 'drizzle-orm/pg-core'

export const orders = pgTable('orders', { id: text().primaryKey() })
`

const files = {
  'package.json': '{ "type": "module" }',
  'main.ts': main,
  'server.ts': server,
  'word.ts': `export const word = 'first'`,
}

export async function develop(more: Record<string, string> = {}, env: NodeJS.ProcessEnv = {}) {
  const application = await createApplication({ ...files, ...more })
  onTestFinished(() => application.remove())
  return { application, dev: await runDev(application.root, env) }
}

type Development = Awaited<ReturnType<typeof develop>>['dev']

export async function wordOf({ url }: Development) {
  const { word } = (await (await fetch(`${url}/word`)).json()) as { word: string }
  return word
}
