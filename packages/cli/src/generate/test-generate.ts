import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeAll, beforeEach } from 'vitest'
import { createApplication, orders, type TestApplication } from '../testing/application.ts'

/** What the command writes for the application, as it is found by tests of what comes after. */
const generatedFiles = [
  'route-map.generated.ts',
  'migrations/0001_orders.sql',
  'migrations/meta/0001_snapshot.json',
]
const generated: Record<string, string> = {}

export const nothingChanged = { code: 0, stdout: 'nothing changed\n', stderr: '' }

/** A new application for each test, and what the command writes for it at first. */
export function useGenerated() {
  beforeAll(async () => {
    const first = await createApplication(orders)
    await first.svc(['generate', '--name', 'orders'])
    for (const name of generatedFiles) generated[name] = await first.read(name)
    await first.remove()
  })

  let application: TestApplication
  beforeEach(async () => {
    application = await createApplication(orders)
  })
  afterEach(() => application.remove())

  async function isGenerated() {
    for (const [name, text] of Object.entries(generated)) await application.write(name, text)
  }

  function migrations() {
    return readdir(join(application.root, 'migrations')).then((names) =>
      names.filter((name) => name.endsWith('.sql')).toSorted(),
    )
  }

  async function addColumn(more = '') {
    const schema = await application.read('schema.ts')
    await application.write(
      'schema.ts',
      schema.replace('primaryKey() }', `primaryKey(), owner: text()${more} }`),
    )
  }

  async function addRoute() {
    const server = await application.read('server.ts')
    await application.write(
      'server.ts',
      server.replace(
        'defineRouter({ listOrders',
        `defineRouter({ 'cancel-order': route.delete("/orders/:orderId/it's").handler(() => {}), listOrders`,
      ),
    )
  }
  return {
    get application() {
      return application
    },
    isGenerated,
    migrations,
    addColumn,
    addRoute,
  }
}
