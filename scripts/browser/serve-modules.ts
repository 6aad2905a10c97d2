import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { stripTypeScriptTypes } from 'node:module'
import type { AddressInfo } from 'node:net'
import { join, normalize, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '..', '..')

/**
 * A page on http://localhost whose globals are modules of this repository: `{ client: 'packages/core/src/client.ts' }`.
 * Browsers read our source once its types are stripped, so nothing is bundled.
 */
export async function serveModules(modules: Record<string, string>) {
  const page = pageOf(modules)
  const server = createServer(({ url = '/' }, answer) => {
    const path = normalize(new URL(url, 'http://localhost').pathname)
    if (path === '/') answer.setHeader('content-type', 'text/html').end(page)
    else if (!path.endsWith('.ts')) answer.writeHead(404).end()
    else answer.setHeader('content-type', 'text/javascript').end(moduleAt(path))
  })
  await new Promise<void>((listening) => server.listen(0, 'localhost', listening))
  const { port } = server.address() as AddressInfo // never a pipe: it listens on a port
  return {
    url: `http://localhost:${port}`,
    stop: () => {
      server.closeAllConnections()
      return new Promise<unknown>((closed) => server.close(closed))
    },
  }
}

function pageOf(modules: Record<string, string>) {
  const imports = Object.entries(modules).map(
    ([name, path]) => `import * as ${name} from '/${path}'\nwindow.${name} = ${name}`,
  )
  return `<!doctype html><title>Test</title><script type="module">${imports.join('\n')}</script>`
}

function moduleAt(path: string) {
  return stripTypeScriptTypes(readFileSync(join(root, path), 'utf8'))
}
