import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createViteServer } from 'vitest/node'
import { serveFetch } from './test-site.ts'

const root = resolve(import.meta.dirname, '..', '..', '..')
const entryOfHooks = '/packages/web/src/test-react-entry.ts'
const ofReact = ['react', 'react-dom/client']

/** Pages with real React, of a web app whose RPC proxy is the handler. */
export async function startReactPage(
  proxy: (request: Request) => Promise<Response>,
  { entry = entryOfHooks, dependencies = [] as string[] } = {},
) {
  const page = `<!doctype html><head><title>Test</title><script type="module" src="${entry}"></script></head><body></body>`
  const cacheDir = mkdtempSync(join(tmpdir(), 'svc-react-page-'))
  const vite = await createViteServer({
    root,
    cacheDir,
    configFile: false,
    appType: 'custom',
    logLevel: 'error',
    resolve: { conditions: ['svc-source', 'browser', 'module', 'development'] },
    server: { middlewareMode: true, hmr: false, ws: false, watch: null },
    optimizeDeps: { include: [...ofReact, ...dependencies], noDiscovery: true },
  })
  const site = await serveFetch(async (request) => {
    const { pathname, search } = new URL(request.url)
    if (pathname.startsWith('/api/rpc/')) return proxy(request)
    if (!/\.(?:m?[jt]s|tsx)$/.test(pathname)) return answer('text/html', page)
    const module = await vite.transformRequest(`${pathname}${search}`)
    return answer('text/javascript', module?.code ?? '')
  })
  return {
    url: `http://localhost:${site.port}`,
    stop: async () => {
      await Promise.all([site.stop(), vite.close()])
      rmSync(cacheDir, { recursive: true, force: true })
    },
  }
}

function answer(type: string, text: string) {
  // There are hundreds of modules, and they do not change while a test runs.
  return new Response(text, { headers: { 'content-type': type, 'cache-control': 'max-age=600' } })
}
