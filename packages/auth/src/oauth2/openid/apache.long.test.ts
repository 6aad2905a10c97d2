import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import {
  createServer,
  get,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { startTestAuth } from '../../testing.ts'
import { openidOptions, secret, testRelyingParty } from '../testing/test-openid.ts'

/** The folder that Debian's packages are in: that of the system, or one that they were unpacked to. */
const roots = [process.env.SVC_TEST_APACHE ?? '', ''].filter((root) =>
  ['usr/sbin/apache2', 'usr/lib/apache2/modules/mod_auth_openidc.so'].every((path) =>
    existsSync(join(root || '/', path)),
  ),
)
const [root] = roots

async function listening(server: Server) {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return (server.address() as AddressInfo).port
}

async function freePort() {
  const server = createServer()
  const port = await listening(server)
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** The host of the web app: it forwards to the API, whose address is known later. */
async function startHost() {
  const api = { url: '' }
  async function forward(request: IncomingMessage, response: ServerResponse) {
    const { url, method = 'GET', headers } = request
    const { authorization, 'content-type': type } = headers
    const sent = { ...(authorization && { authorization }), ...(type && { 'content-type': type }) }
    const body = method === 'GET' ? null : Buffer.concat(await request.toArray())
    const answer = await fetch(`${api.url}${url}`, {
      method,
      headers: sent,
      body,
      redirect: 'manual',
    })
    const location = answer.headers.get('location')
    response.writeHead(answer.status, {
      'content-type': answer.headers.get('content-type') ?? '',
      ...(location && { location }),
    })
    response.end(Buffer.from(await answer.arrayBuffer()))
  }
  const server = createServer((request, response) => void forward(request, response))
  const at = `http://127.0.0.1:${await listening(server)}`
  onTestFinished(() => void server.close())
  return { at, api }
}

const modules = ['mpm_event', 'authn_core', 'authz_core', 'authz_user', 'headers', 'auth_openidc']

/** Apache with a page that only users who are signed in see, as the guide configures it. */
async function startApache(provider: string, port: number) {
  const folder = await mkdtemp(join(tmpdir(), 'svc-apache-'))
  const at = `http://127.0.0.1:${port}`
  await chmod(folder, 0o755)
  await mkdir(join(folder, 'pages'))
  await writeFile(join(folder, 'pages/page'), 'The wiki')
  const configuration = join(folder, 'apache.conf')
  const lines = [
    `ServerRoot ${folder}`,
    `PidFile ${folder}/pid`,
    `ErrorLog ${folder}/error.log`,
    `Listen 127.0.0.1:${port}`,
    'ServerName 127.0.0.1',
    ...modules.map(
      (name) => `LoadModule ${name}_module ${root}/usr/lib/apache2/modules/mod_${name}.so`,
    ),
    ...(process.getuid?.() === 0 ? ['User www-data', 'Group www-data'] : []),
    `DocumentRoot ${folder}/pages`,
    `OIDCProviderMetadataURL ${provider}/.well-known/openid-configuration`,
    'OIDCProviderTokenEndpointAuth client_secret_basic',
    'OIDCClientID wiki',
    `OIDCClientSecret "${secret}"`,
    `OIDCRedirectURI ${at}/callback`,
    'OIDCCryptoPassphrase another-secret',
    'OIDCScope "openid profile email"',
    'OIDCPKCEMethod S256',
    'OIDCRemoteUserClaim email',
    '<Location />',
    'AuthType openid-connect',
    'Require valid-user',
    'Header set x-user "expr=%{REMOTE_USER}"',
    '</Location>',
  ]
  await writeFile(configuration, `${lines.join('\n')}\n`)
  const libraries = ['usr/lib', 'lib'].map((path) => `${root}/${path}/x86_64-linux-gnu`).join(':')
  const env = { ...process.env, ...(root && { LD_LIBRARY_PATH: libraries }) }
  const child = spawn(`${root}/usr/sbin/apache2`, ['-X', '-f', configuration], { env })
  const errors: string[] = []
  child.stderr.on('data', (text) => errors.push(String(text)))
  onTestFinished(async () => {
    child.kill()
    await rm(folder, { recursive: true, force: true })
  })
  const log = () => readFile(join(folder, 'error.log'), 'utf8').catch(() => '')
  const isUp = () => fetch(at, { redirect: 'manual' })
  await vi.waitFor(isUp, { timeout: 10_000, interval: 100 }).catch(async () => {
    throw new Error(`Apache has not started: ${errors.join('')}${await log()}`)
  })
  return { at, log }
}

/** A browser that keeps the cookies of one host. Not with `fetch`, which says that it does not navigate. */
function browser() {
  const cookies = new Map<string, string>()
  return async (url: string) => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const [answer] = (await once(
      get(url, { headers: { cookie, accept: 'text/html' } }),
      'response',
    )) as [IncomingMessage]
    for (const line of answer.headers['set-cookie'] ?? []) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      cookies.set(name, value)
    }
    const { statusCode: status, headers } = answer
    return { status, headers, text: (await answer.toArray()).join('') }
  }
}

const title = root === undefined ? ' (no Apache with mod_auth_openidc)' : ''

describe.skipIf(root === undefined)(`mod_auth_openidc of Debian${title}`, () => {
  it('signs a user in, and out again when they sign out there or here', {
    timeout: 60_000,
  }, async () => {
    const port = await freePort()
    const { authorizationServer } = openidOptions.options
    const { intranet } = authorizationServer.openid.clients
    const wiki = {
      ...intranet,
      redirectUris: [`http://127.0.0.1:${port}/callback`],
      backchannelLogoutUri: `http://127.0.0.1:${port}/callback?logout=backchannel`,
      postLogoutRedirectUris: [`http://127.0.0.1:${port}/out`],
    }
    const host = await startHost()
    const auth = await startTestAuth({
      env: { ...openidOptions.env, SVC_AUTH_OAUTH2_ISSUER: host.at },
      options: { authorizationServer: { ...authorizationServer, openid: { clients: { wiki } } } },
    })
    onTestFinished(() => auth.stop())
    // Apache compares with the time of the machine.
    auth.clock.set(new Date())
    host.api.url = auth.url
    const { at, log } = await startApache(host.at, port)
    const user = await auth.signedInUser()
    const visit = browser()
    const { decide, signOutFacts } = testRelyingParty(auth, 'wiki')

    async function signIn() {
      const away = await visit(`${at}/page`)
      expect(away.status, await log()).toBe(302)
      const asked = await fetch(away.headers.location ?? '', { redirect: 'manual' })
      const fields = Object.fromEntries(new URL(asked.headers.get('location') ?? '').searchParams)
      expect(fields).toMatchObject({ client_id: 'wiki', code_challenge_method: 'S256' })
      const { body } = await decide(user, fields)
      const back = await visit(body.redirectTo)
      expect([back.status, back.headers.location], await log()).toEqual([302, `${at}/page`])
      const page = await visit(`${at}/page`)
      expect([page.status, page.text, page.headers['x-user']]).toEqual([
        200,
        'The wiki',
        user.email,
      ])
    }
    await signIn()

    // It forgets the user, and sends the browser here with what its session had.
    const out = encodeURIComponent(`${at}/out`)
    const leaving = await visit(`${at}/callback?logout=${out}`)
    expect(leaving.headers.location, await log()).toMatch(`${host.at}/_auth/oauth2/logout?`)
    expect((await visit(`${at}/page`)).status).toBe(302)
    const asking = await fetch(leaving.headers.location ?? '', { redirect: 'manual' })
    const { facts } = await signOutFacts(asking.headers.get('location') ?? '')
    const { publicId: sub } = user
    expect(facts).toMatchObject({ clientName: 'Intranet', sub, redirectTo: `${at}/out` })

    await signIn()
    await auth.call('logout', {}, user.key)
    const isOut = async () => expect((await visit(`${at}/page`)).status, await log()).toBe(302)
    await vi.waitFor(isOut, { timeout: 15_000, interval: 200 })
  })
})
