/** A project of somebody else: a server with a table-less route, a browser's part, and a program that signs in and asks. */
export const consumer = {
  'server.ts': `import { authenticate, authRouter, createAuthLifecycle, getAuth } from '@svc/auth/server'
import { defineRouter, defineServer, route } from '@svc/core'
import { mailboxRouter } from '@svc/notification'

const whoAmI = route.get('/who').handler((c) => ({ userId: getAuth(c).userId }))
export const router = defineRouter({ whoAmI })
  .packages([authRouter, mailboxRouter])
  .use([authenticate])
export type Router = typeof router

export default defineServer().lifecycle(createAuthLifecycle()).routes(router)
`,
  'browser.ts': `import { authApi, authErrors, createDeviceKey } from '@svc/auth'
import { createApi } from '@svc/core/client'
import { defineRouter, route, t } from '@svc/core/contract'
import { html } from '@svc/core/html'
import { createRpcProxy } from '@svc/web/proxy'
import type { Router } from './server.ts'

const routeMap = { whoAmI: { method: 'GET', path: '/who' } } as const
const api = createApi<Router>({ routeMap, proxy: '/api/rpc', errors: authErrors })
export const who: Promise<{ userId: string }> = api.whoAmI.call()
// @ts-expect-error -- it answers no name
export const name = who.then((answer) => answer.name)
export const others = { authApi, createDeviceKey, createRpcProxy, defineRouter, html, route, t }
`,
  'program.ts': `import { startTestAuth } from '@svc/auth/testing'
import * as entries from './entries.ts'
import server from './server.ts'

for (const [name, entry] of Object.entries(entries)) {
  if (Object.keys(entry).length === 0) throw new Error(name + ' exports nothing')
}
const auth = await startTestAuth({ definition: server })
try {
  const user = await auth.signedInUser()
  const sign = auth.signerOf(user.key)
  const url = auth.url + '/who'
  const headers = await sign({ method: 'GET', url, body: '' })
  const signed = await fetch(url, { headers })
  const stranger = await fetch(url)
  console.log('signed', signed.status, (await signed.json()).userId === user.userId, 'stranger', stranger.status)
} finally {
  await auth.stop()
}
`,
}

/** Each entry by its name, and all of them in a file that imports every one. */
export function entriesFile(names: readonly string[]) {
  return names
    .map((name) => `export * as ${name.replaceAll(/\W+/g, '_').replace(/^_/, '')} from '${name}'\n`)
    .join('')
}

export function compilerOptions(moduleResolution: 'nodenext' | 'bundler') {
  return {
    compilerOptions: {
      target: 'es2024',
      lib: ['es2024', 'dom', 'dom.iterable'],
      module: moduleResolution === 'nodenext' ? 'nodenext' : 'esnext',
      moduleResolution,
      types: ['node'],
      strict: true,
      skipLibCheck: false,
      allowImportingTsExtensions: true,
      noEmit: true,
    },
    include: ['*.ts'],
  }
}
