import { onTestFinished } from 'vitest'
import { createApplication } from '../testing/application.ts'
import { freePort } from '../testing/run-dev.ts'

export async function application(more: Record<string, string>) {
  const made = await createApplication({ 'package.json': '{ "type": "module" }', ...more })
  onTestFinished(() => made.remove())
  const ports = { SVC_PORT: `${await freePort()}`, PORT: `${await freePort()}` }
  const svc = (args: string[], env: Record<string, string> = {}) =>
    made.svc(args, { env: { NODE_OPTIONS: '--conditions=svc-source', ...ports, ...env } })
  return { ...made, svc }
}

export const main = `import { runServer } from '@svc/core'
import server from './server.ts'
await runServer(server)
`
