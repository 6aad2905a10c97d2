import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { createAuthLifecycle } from '../../packages/auth/src/lifecycle.ts'
import { named } from '../../packages/cli/src/create/named.ts'
import { starterFiles } from '../../packages/cli/src/create/starter.ts'
import { readServerEnv } from '../../packages/core/src/definition/env.ts'
import { readWebEnv } from '../../packages/web/src/env.ts'
import { portOf } from '../../packages/web/src/front/env.ts'
import { fileOn } from './lay-page.ts'

// The recipes that deploy an app. None of these hosts is here, so the files are compared with the code.

const root = resolve(import.meta.dirname, '..', '..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const pages = ['vps', 'compose', 'kubernetes', 'fly', 'railway', 'render']
const pageOf = (name: string) => `docs/recipes/${name}.md`

type Variables = Record<string, string>

const secret = 'q7Zt-1mKx_9PfVw3RbYc5LsDh8GjNaEu'
/** What a reader puts in the place of each secret. */
const secrets: Variables = {
  DATABASE_URL: 'postgres://my_app:pw@db:5432/my_app',
  SVC_AUTH_VERIFICATION_TOKEN_SECRET: secret,
  SVC_AUTH_TOKEN_ENCRYPTION_KEYS: `first:${Buffer.alloc(32, 7).toString('base64')}`,
  SVC_PROXY_SECRET: `first:${secret}`,
  SVC_AUTH_SESSION_SECRET: secret,
  SVC_AUTH_ADMIN_PASSWORD: 'a password of the tests',
}

/** `NAME=value`, one a line. */
function variablesIn(text: string): Variables {
  const lines = text.matchAll(/^([A-Z][A-Z_]+)=(.*)$/gm)
  return Object.fromEntries([...lines].map(([, name = '', value = '']) => [name, value]))
}

/** `NAME = "value"` of TOML. */
function tomlVariablesIn(text: string): Variables {
  const [, block = ''] = /^\[env\]\n(.*?)\n\n/ms.exec(text) ?? []
  const lines = block.matchAll(/^ {2}(\w+) = "(.*)"$/gm)
  return Object.fromEntries([...lines].map(([, name = '', value = '']) => [name, value]))
}

/** `NAME='…'` of a command, after the app that it is for. */
function flySecretsOf(app: string) {
  const [, command = ''] =
    new RegExp(`fly secrets set -a ${app} --stage \\\\\\n(.*?[^\\\\])\\n`, 's').exec(
      read(pageOf('fly')),
    ) ?? []
  return [...command.matchAll(/\b([A-Z][A-Z_]+)=/g)].map(([, name = '']) => name)
}

interface RenderService {
  name: string
  healthCheckPath: string
  maxShutdownDelaySeconds: number
  envVars: { key: string; value?: string }[]
}
const render: { services: RenderService[] } = parse(fileOn(pageOf('render'), 'render.yaml'))

function ofRender(name: string): Variables {
  const { envVars = [] } = render.services.find((each) => each.name === name) ?? {}
  return Object.fromEntries(envVars.map(({ key, value = '1' }) => [key, value]))
}

function ofRailway(service: string) {
  const [, text = ''] =
    new RegExp(`^Of \`${service}\`:\\n\\n\`\`\`sh\\n(.*?)^\`\`\``, 'ms').exec(
      read(pageOf('railway')),
    ) ?? []
  return variablesIn(text.replaceAll(/<the domain of \w+>/g, 'my-app.example.com'))
}

const withSecrets = (variables: Variables, names: string[]) => ({
  ...variables,
  ...Object.fromEntries(names.map((name) => [name, ''])),
})

const hosts = [
  {
    at: 'a VPS',
    api: variablesIn(fileOn(pageOf('vps'), '/etc/my-app/api.env')),
    web: variablesIn(fileOn(pageOf('vps'), '/etc/my-app/web.env')),
  },
  {
    at: 'Fly',
    api: withSecrets(
      tomlVariablesIn(fileOn(pageOf('fly'), 'fly.api.toml')),
      flySecretsOf('my-app-api'),
    ),
    web: withSecrets(
      tomlVariablesIn(fileOn(pageOf('fly'), 'fly.web.toml')),
      flySecretsOf('my-app-web'),
    ),
  },
  { at: 'Railway', api: ofRailway('api'), web: ofRailway('web') },
  { at: 'Render', api: ofRender('my-app-api'), web: ofRender('my-app-web') },
]

/** As the process has them in production: with a value for each secret. */
function given(variables: Variables): Variables {
  const entries = Object.entries(variables).map(([name, value]) => [name, secrets[name] ?? value])
  const mail = 'SVC_MAIL_URL' in variables && { SVC_MAIL_URL: 'smtps://u:p@mail.example.com' }
  const admin = 'SVC_AUTH_ADMIN_EMAIL' in variables && { SVC_AUTH_ADMIN_EMAIL: 'ada@example.com' }
  return { NODE_ENV: 'production', ...Object.fromEntries(entries), ...mail, ...admin }
}

/** Of the host itself, not of ours. */
const ofTheHost = ['PORT', 'RAILWAY_DEPLOYMENT_DRAINING_SECONDS']

describe.each(hosts)('the variables on $at', ({ api, web }) => {
  it('are those that there are', () => {
    const described = read('docs/reference/variables.md')
    const names = [...Object.keys(api), ...Object.keys(web)].filter(
      (name) => !ofTheHost.includes(name),
    )
    expect(names.length).toBeGreaterThan(10)
    expect(names.filter((name) => !described.includes(`\`${name}\``))).toEqual([])
  })

  it('are all that production requires', () => {
    expect(readServerEnv(given(api)).DATABASE_URL).toBe(secrets['DATABASE_URL'])
    expect(() => createAuthLifecycle().validateEnvironment?.(given(api))).not.toThrow()
    expect(readWebEnv(given(web)).SVC_AUTH_SESSION_SECRET).toBe(secret)
  })

  it('name the same addresses, and as many proxies, in both processes', () => {
    for (const name of ['SVC_API_URL', 'SVC_APP_URL', 'SVC_TRUSTED_PROXY_HOPS']) {
      expect(web[name], name).toBe(api[name])
      expect(api[name], name).toBeTruthy()
    }
  })
})

describe('the files for a host', () => {
  it.each(pages)('lead to the ports and the probes of the processes: %s', (name) => {
    const page = read(pageOf(name))
    const ports = [...page.matchAll(/(?:port: \{ number: |internal_port = |[a-z]:)(\d{4})\b/g)].map(
      ([, port]) => Number(port),
    )
    const known = [readServerEnv({}).SVC_PORT, portOf(undefined)]
    expect(ports.filter((port) => ![...known, 5432].includes(port))).toEqual([])
    const probes = [...page.matchAll(/\/_(?:core|web)\/health\S*?(?=["'\n ]|$)/g)].map(
      ([path]) => path,
    )
    const answered = ['/_core/health/ready', '/_web/health/ready']
    expect(probes).not.toEqual([])
    expect(probes.filter((path) => !answered.includes(path))).toEqual([])
  })

  it.each(['fly', 'railway', 'render'])('say that they were not run: %s', (name) => {
    expect(read(pageOf(name))).toContain('**This recipe was not run.**')
  })

  it('build stages that the Dockerfile has', () => {
    const stages = [
      ...fileOn('docs/guide/deployment.md', 'Dockerfile').matchAll(/^FROM \S+ AS (\w+)$/gm),
    ].map(([, stage]) => stage)
    for (const file of ['fly.api.toml', 'fly.web.toml']) {
      const [, target] = /build-target = "(\w+)"/.exec(fileOn(pageOf('fly'), file)) ?? []
      expect(stages).toContain(target)
    }
    // Railway and Render build the last one, and start the API from its folder.
    expect(stages.at(-1)).toBe('web')
    expect(fileOn('docs/guide/deployment.md', 'Dockerfile')).toContain('WORKDIR /app/web\n')
  })

  it('start files that are there', () => {
    const application = named(starterFiles(), 'my-app')
    expect(application).toHaveProperty(['api/main.ts'])
    for (const name of ['railway', 'render']) {
      expect(read(pageOf(name))).toContain('node ../api/main.ts')
      expect(read(pageOf(name))).toContain('node ../node_modules/@svc/cli/bin/svc.js migrate')
    }
    expect(read('packages/cli/bin/svc.js').startsWith('#!')).toBe(true)
    const [, script] = /npm run build -w (\S+)/.exec(read(pageOf('vps'))) ?? []
    expect(JSON.parse(application['web/package.json'] ?? '').name).toBe(script)
  })

  it('make the secrets whose files Compose and Kubernetes name', () => {
    const guide = parse(fileOn('docs/guide/containers.md', 'compose.yaml'))
    const made = [...read(pageOf('compose')).matchAll(/> ([a-z-]+)$/gm)].map(
      ([, file = '']) => file,
    )
    expect(made.toSorted()).toEqual(Object.keys(guide.secrets).toSorted())
    const created = read(pageOf('kubernetes'))
    const written = [...created.matchAll(/> ([a-z-]+)$/gm)].map(([, file = '']) => file)
    const used = new Set([...created.matchAll(/--from-file=(\S+)/g)].map(([, file = '']) => file))
    expect(written.toSorted()).toEqual([...used].toSorted())
    expect(Object.keys(guide.services)).toEqual(
      expect.arrayContaining(
        parse(fileOn(pageOf('compose'), 'compose.caddy.yaml')).services.caddy.depends_on,
      ),
    )
  })

  it('lead an ingress to the services of the guide', () => {
    const guide = read('docs/guide/containers.md')
    const { spec } = parse(fileOn(pageOf('kubernetes'), 'ingress.yaml'))
    const services = spec.rules.map(
      ({
        http,
      }: {
        http: { paths: { backend: { service: { name: string; port: { number: number } } } }[] }
      }) => http.paths[0]?.backend.service,
    )
    for (const { name, port } of services) {
      expect(guide).toContain(`metadata: { name: ${name} }`)
      expect(guide).toContain(`{ port: ${port.number}, targetPort: ${port.number} }`)
    }
  })
})
