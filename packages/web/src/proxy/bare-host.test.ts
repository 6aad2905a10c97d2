import { join } from 'node:path'
import { createContext, runInContext } from 'node:vm'
import { gzipSync } from 'node:zlib'
import { authRouteMap } from '@svc/auth'
import { build } from 'esbuild'
import { afterAll, describe, expect, it } from 'vitest'
import { startTestWeb, TestBrowser } from '../test-browser.ts'

const web = await startTestWeb()
afterAll(web.api.stop)

const packages = join(import.meta.dirname, '../../..')

/** One script of an entry as it is published, and what it imports that is not in it. */
async function bundled(contents: string) {
  const { outputFiles, metafile } = await build({
    stdin: { contents, resolveDir: packages },
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    platform: 'neutral',
    format: 'iife',
    globalName: 'entry',
    conditions: ['svc-source', 'import'],
    mainFields: ['module', 'main'],
  })
  const [output] = Object.values(metafile.outputs)
  return { code: outputFiles[0]?.text ?? '', external: output?.imports ?? [] }
}

const proxyEntry = await bundled(`export * from './web/src/proxy.ts'`)
const clientEntry = await bundled(`export { createApi } from './core/src/client.ts'`)

/** What every host of a fetch handler has: WebCrypto, fetch and what belongs to it. Neither `process` nor `Buffer`. */
const webGlobals = {
  AbortController,
  AbortSignal,
  Blob,
  CompressionStream,
  DecompressionStream,
  Headers,
  ReadableStream,
  Request,
  Response,
  TextDecoder,
  TextEncoder,
  URL,
  URLSearchParams,
  atob,
  btoa,
  clearTimeout,
  console,
  crypto,
  fetch,
  setTimeout,
  structuredClone,
}

/** What `entry` of the script is on a host of that kind. */
function onBareHost(code: string) {
  // The encoders make bytes of this realm, and jose asks whether they are of its own.
  const bytes = { Uint8Array, ArrayBuffer }
  return runInContext(`${code};entry`, createContext({ ...webGlobals, ...bytes }))
}

describe('the proxy on a host that is no Node', () => {
  const { createRpcProxy, authInterceptors } = onBareHost(proxyEntry.code)

  it('needs no module of the host', () => {
    expect(proxyEntry.external).toEqual([])
    expect(onBareHost('var entry = [typeof process, typeof Buffer, typeof require]')).toEqual([
      'undefined',
      'undefined',
      'undefined',
    ])
  })

  it('keeps a session, signs for it and ends it', async () => {
    const { POST } = createRpcProxy({
      routeMap: authRouteMap,
      apiUrl: web.api.url,
      interceptors: [authInterceptors({ env: web.env })],
    })
    const page = new TestBrowser({ POST, GET: POST })
    const user = await web.api.createUser()
    expect((await page.call('login', user)).status).toBe(200)
    expect([...page.cookies.keys()]).toEqual(['svc_session', 'svc_csrf', 'svc_known'])
    expect(await (await page.call('getAuthSession')).json()).toMatchObject({ userId: user.userId })
    expect((await page.call('rotateKey', {})).status).toBe(200)
    expect((await page.call('getAuthSession')).status).toBe(200)
    expect((await page.call('logout')).status).toBe(204)
    expect((await page.call('getAuthSession')).status).toBe(401)
    expect((await page.call('nothing')).status).toBe(404)
  })
})

describe('the size', () => {
  it('of the proxy is under 60 kB, minified', () => {
    expect(proxyEntry.code.length).toBeLessThan(60_000)
    expect(proxyEntry.code.length).toBeGreaterThan(20_000)
  })

  it('of createApi, which every page loads, is under 15 kB, compressed', () => {
    const { length } = gzipSync(clientEntry.code)
    expect(length).toBeLessThan(15_000)
    expect(length).toBeGreaterThan(1000)
  })
})
