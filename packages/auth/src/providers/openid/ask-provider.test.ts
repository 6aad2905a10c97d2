import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type RequestListener } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo, Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest'
import { authority, certificate, privateKey } from '../testing/test-certificate.ts'
import { type Misbehaviour, misbehaviours } from '../testing/test-misbehaviour.ts'
import { askProvider, ProviderUnavailableError } from './ask-provider.ts'

const servers: Server[] = []
afterAll(() => {
  for (const server of servers) server.close()
})
afterEach(() => {
  vi.unstubAllEnvs()
})

async function listen(server: Server) {
  servers.push(server)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return (server.address() as AddressInfo).port
}

/** A server with the address of it that holds what must not come into a log. */
async function startServer(listener: RequestListener) {
  const asked: string[] = []
  const port = await listen(
    createServer((request, response) => {
      asked.push(request.url ?? '')
      listener(request, response)
    }),
  )
  return { asked, address: `http://127.0.0.1:${port}/token?secret=hunter2` }
}

const failureOf = (asking: Promise<unknown>) =>
  asking.then(
    () => null,
    (error: unknown) => error,
  )

describe('asking a provider', () => {
  it('sends a form, or nothing, and reads JSON', async () => {
    const { address } = await startServer((request, response) => {
      const { method, headers } = request
      const { accept, authorization, 'content-type': type } = headers
      void text(request).then((body) =>
        response.end(JSON.stringify({ method, body, accept, authorization, type })),
      )
    })

    expect((await askProvider(address)).json).toEqual({
      method: 'GET',
      body: '',
      accept: 'application/json',
    })
    const headers = { authorization: 'Bearer x' }
    expect((await askProvider(address, { form: { code: 'a b' }, headers })).json).toEqual({
      method: 'POST',
      body: 'code=a+b',
      accept: 'application/json',
      authorization: 'Bearer x',
      type: 'application/x-www-form-urlencoded;charset=UTF-8',
    })
  })

  it.each([200, 201, 400, 401, 403, 404])('gives an answer of %i to its caller', async (status) => {
    const { address } = await startServer((_, response) => response.writeHead(status).end('[1]'))

    expect(await askProvider(address)).toEqual({ status, json: [1] })
  })

  const all = Object.keys(misbehaviours) as Misbehaviour[]
  const useless = all.filter((how) => how !== 'other json')
  it.concurrent.each(useless)(
    'gives up within five seconds on one that is %s (F20)',
    async (how) => {
      const { address, asked } = await startServer((_, response) => misbehaviours[how](response))
      const started = performance.now()
      const failure = await failureOf(askProvider(address))

      expect(failure).toBeInstanceOf(ProviderUnavailableError)
      expect(String(failure)).toContain(new URL(address).host)
      expect(String(failure)).not.toMatch(/hunter2|html|keys|token/)
      expect(performance.now() - started).toBeLessThan(5000)
      // Neither again nor elsewhere.
      expect(asked).toEqual(['/token?secret=hunter2'])
    },
  )

  it('reads a mebibyte, and no more', async () => {
    const longest = JSON.stringify('x'.repeat(1024 * 1024 - 2))
    const { address } = await startServer((_, response) => response.end(longest))
    expect((await askProvider(address)).status).toBe(200)

    const { address: longer } = await startServer((_, response) => response.end(`${longest} `))
    await expect(askProvider(longer)).rejects.toThrow('more than 1048576 bytes')
  })

  it('gives up on one that is not there', async () => {
    const { address } = await startServer(() => {})
    servers.pop()?.close()

    const failure = await failureOf(askProvider(address))
    expect(failure).toBeInstanceOf(ProviderUnavailableError)
    expect(String(failure)).toMatch(/no answer \(ECONNREFUSED\)$/)
  })

  it('sends nothing without TLS, but on this machine outside production', async () => {
    const { address, asked } = await startServer((_, response) => response.end('{}'))
    vi.stubEnv('NODE_ENV', 'production')
    await expect(askProvider(address)).rejects.toThrow('not over TLS')
    vi.stubEnv('NODE_ENV', 'development')
    await expect(askProvider('http://provider.invalid/')).rejects.toThrow('not over TLS')
    await expect(askProvider('data:application/json,{}')).rejects.toThrow('not over TLS')

    expect(asked).toEqual([])
    expect(await askProvider(address)).toEqual({ status: 200, json: {} })
  })
})

describe('a provider whose certificate is of an authority of its own', () => {
  const program = `
    import { askProvider } from '${new URL('ask-provider.ts', import.meta.url)}'
    const print = (text) => console.log(text)
    await askProvider(process.env.ADDRESS).then(({ json }) => print(json.said), (error) => print(error.message))`
  const flags = ['--conditions=svc-source', '--input-type=module', '--eval', program]

  async function askFromAnotherProcess(env: Record<string, string>) {
    const { stdout } = await promisify(execFile)(process.execPath, flags, {
      cwd: import.meta.dirname,
      env: { PATH: process.env['PATH'], ...env },
    })
    return stdout.trim()
  }

  it('is asked by a process that trusts that authority, and by no other', async () => {
    const server = createTlsServer({ key: privateKey, cert: certificate }, (_, response) =>
      response.end('{"said":"hello"}'),
    )
    const ADDRESS = `https://localhost:${await listen(server)}/`
    const directory = await mkdtemp(join(tmpdir(), 'svc-authority-'))
    const NODE_EXTRA_CA_CERTS = join(directory, 'authority.pem')
    await writeFile(NODE_EXTRA_CA_CERTS, authority)

    const [trusting, other] = await Promise.all([
      askFromAnotherProcess({ ADDRESS, NODE_EXTRA_CA_CERTS }),
      askFromAnotherProcess({ ADDRESS }),
    ])
    await rm(directory, { recursive: true })

    expect(trusting).toBe('hello')
    expect(other).toMatch(/no answer \(UNABLE_TO_VERIFY_LEAF_SIGNATURE\)$/)
  })
})
