import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { createAuthLifecycle } from '../../packages/auth/src/lifecycle.ts'
import { defineServer } from '../../packages/core/src/definition/define-server.ts'
import { readServerEnv } from '../../packages/core/src/definition/env.ts'
import { defineEnv, parseDuration } from '../../packages/core/src/env/env.ts'
import { shutdownDelayMillis, shutdownVariables } from '../../packages/core/src/http/env.ts'
import { startTestServer } from '../../packages/core/src/testing/test-server.ts'
import { readWebEnv } from '../../packages/web/src/env.ts'
import { portOf } from '../../packages/web/src/front/env.ts'

const readDelay = defineEnv(shutdownVariables)

const root = resolve(import.meta.dirname, '..', '..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const page = read('docs/guide/containers.md')
const dockerfile = read('docs/guide/deployment.md')

function fileOf(name: string) {
  return page.match(new RegExp(`^\`\`\`yaml\\n# file: ${name}\\n(.*?)^\`\`\`$`, 'ms'))?.[1] ?? ''
}

type Variables = Record<string, string>

interface Probe {
  httpGet: { path: string; port: number }
}

interface Container {
  name: string
  image: string
  command?: string[]
  ports?: { containerPort: number }[]
  env: { name: string; value: string }[]
  securityContext: object
  startupProbe?: Probe
  livenessProbe?: Probe
  readinessProbe?: Probe
  volumeMounts: { name: string; mountPath: string }[]
}

interface Pod {
  terminationGracePeriodSeconds?: number
  securityContext: object
  containers: [Container]
  volumes: { name: string; emptyDir?: object; secret?: { secretName: string } }[]
}

interface Resource {
  kind: string
  metadata: { name: string }
  spec: {
    replicas?: number
    minAvailable?: number
    selector?: { matchLabels?: Variables } & Variables
    ports?: { port: number; targetPort: number }[]
    template?: { metadata?: { labels: Variables }; spec: Pod }
  }
}

interface Service {
  image: string
  command?: string[]
  user?: string
  read_only?: boolean
  tmpfs?: string[]
  stop_grace_period?: string
  ports?: string[]
  environment: Variables
  secrets: string[]
}

const resources = parseAllDocuments(fileOf('kubernetes.yaml')).map(
  (document) => document.toJS() as Resource,
)
const compose = parse(fileOf('compose.yaml')) as {
  services: Record<string, Service>
  secrets: Record<string, { file: string }>
}

const named = (kind: string, name: string) =>
  resources.find((each) => each.kind === kind && each.metadata.name === name) as Resource
const podOf = (resource: Resource) => resource.spec.template?.spec as Pod
const variablesOf = ({ env }: Container) =>
  Object.fromEntries(env.map(({ name, value }) => [name, value]))

const api = podOf(named('Deployment', 'my-app-api'))
const web = podOf(named('Deployment', 'my-app-web'))
const pods = [podOf(named('Job', 'my-app-migrate')), api, web]
const { db: _, migrate, ...served } = compose.services

const folder = mkdtempSync(join(tmpdir(), 'svc-containers-'))
afterAll(() => rmSync(folder, { recursive: true }))

const secret = 'q7Zt-1mKx_9PfVw3RbYc5LsDh8GjNaEu'
const values: Variables = {
  'database-url': 'postgres://my_app:pw@db:5432/my_app',
  'verification-token-secret': secret,
  'token-encryption-keys': `a:${Buffer.alloc(32, 7).toString('base64')}`,
  'proxy-secret': `a:${secret}`,
  'mail-url': 'smtps://my_app:pw@mail.example.com',
  'session-secret': secret,
}

/** As the process has them, with files in a folder that is there. */
function given(variables: Variables) {
  const entries = Object.entries(variables).map(([name, value]) => {
    if (!name.endsWith('_FILE')) return [name, value]
    const path = join(folder, basename(value))
    writeFileSync(path, values[basename(value)] ?? '')
    return [name, path]
  })
  return { NODE_ENV: 'production', ...Object.fromEntries(entries) }
}

function section(title: string) {
  const text = read('docs/reference/variables.md')
    .split(/^## /m)
    .find((each) => each.startsWith(`${title}\n`))
  return [...(text ?? '').matchAll(/^\| `(\w+)` \|/gm)].map(([, name = '']) => name)
}

const ofApi = ['The server', 'Sign-in', 'Mail and text messages'].flatMap(section)
const ofWeb = section('The web process')

const started = [
  { at: 'Kubernetes', api: variablesOf(api.containers[0]), web: variablesOf(web.containers[0]) },
  {
    at: 'Compose',
    api: served['api']?.environment ?? {},
    web: served['web']?.environment ?? {},
  },
]

describe.each(started)('the variables of $at', ({ api: ofTheApi, web: ofTheWeb }) => {
  it('are those that the processes read', () => {
    const plain = (names: Variables) => Object.keys(names).map((name) => name.replace(/_FILE$/, ''))
    expect(plain(ofTheApi).filter((name) => !ofApi.includes(name))).toEqual([])
    expect(plain(ofTheWeb).filter((name) => !ofWeb.includes(name))).toEqual([])
  })

  it('are all that production requires, of the API and of the web app', () => {
    const source = given(ofTheApi)
    expect(readServerEnv(source).DATABASE_URL).toBe(values['database-url'])
    expect(() => createAuthLifecycle().validateEnvironment?.(source)).not.toThrow()
    expect(readWebEnv(given(ofTheWeb)).SVC_AUTH_SESSION_SECRET).toBe(secret)
  })

  it('have the addresses and the secret of the proxy that both need to be the same', () => {
    const shared = [
      'SVC_API_URL',
      'NEXT_PUBLIC_SVC_API_URL',
      'SVC_APP_URL',
      'SVC_PROXY_SECRET_FILE',
    ]
    for (const name of shared) {
      expect(ofTheApi[name], name).toBe(ofTheWeb[name])
    }
    const { port } = new URL(ofTheApi['SVC_API_URL'] ?? '')
    expect(Number(port)).toBe(readServerEnv({}).SVC_PORT)
  })

  it('have each secret in a file', () => {
    const names = [...Object.keys(ofTheApi), ...Object.keys(ofTheWeb)]
    const isSecret = /SECRET|KEYS|^DATABASE_URL|^SVC_MAIL_URL/
    expect(names.filter((name) => isSecret.test(name) && !name.endsWith('_FILE'))).toEqual([])
  })
})

describe('the manifests of Kubernetes', () => {
  it('ask paths that answer, at the ports on which the processes listen', async () => {
    const server = await startTestServer(defineServer())
    const probes = (pod: Pod) => {
      const { startupProbe, livenessProbe, readinessProbe } = pod.containers[0]
      return [startupProbe, livenessProbe, readinessProbe].map((probe) => probe?.httpGet)
    }
    for (const probe of probes(api)) {
      expect(probe?.port).toBe(readServerEnv({}).SVC_PORT)
      expect((await server.fetch(probe?.path ?? '')).status, probe?.path).toBe(200)
    }
    const front = read('packages/web/src/front/create-front.ts')
    for (const probe of probes(web)) {
      expect(probe?.port).toBe(portOf(undefined))
      expect(front).toContain(`'${probe?.path}'`)
    }
    await server.stop()
    for (const pod of [api, web]) {
      const { livenessProbe, readinessProbe, startupProbe } = pod.containers[0]
      expect(livenessProbe?.httpGet.path).toMatch(/live$/)
      expect(startupProbe?.httpGet.path).toMatch(/live$/)
      expect(readinessProbe?.httpGet.path).toMatch(/ready$/)
    }
  })

  it('give each process the time that its stop may take', () => {
    for (const [{ containers, terminationGracePeriodSeconds = 0 }, rest] of [
      [api, stopMillis],
      [web, drainMillis],
    ] as const) {
      const { SVC_SHUTDOWN_DELAY } = variablesOf(containers[0])
      const delay = shutdownDelayMillis({
        ...readDelay({ SVC_SHUTDOWN_DELAY }),
        NODE_ENV: 'production',
      })
      expect(delay).toBeGreaterThanOrEqual(5000)
      expect(terminationGracePeriodSeconds * 1000).toBeGreaterThanOrEqual(delay + rest)
    }
  })

  it.each(pods.map((pod) => ({ pod, name: pod.containers[0].name })))(
    'run $name without rights, and with a folder for all that it writes',
    ({ pod, name }) => {
      const [container] = pod.containers
      expect(pod.securityContext).toMatchObject({
        runAsNonRoot: true,
        runAsUser: 1000,
        fsGroup: 1000,
      })
      expect(container.securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      })
      const kinds = Object.fromEntries(pod.volumes.map((each) => [each.name, each]))
      for (const mount of container.volumeMounts)
        expect(kinds, mount.name).toHaveProperty(mount.name)
      const writable = container.volumeMounts.filter((mount) => kinds[mount.name]?.emptyDir)
      expect(writable.map(({ mountPath }) => mountPath)).toEqual(
        name === 'web' ? ['/tmp', '/app/web/.next/cache'] : ['/tmp'],
      )
    },
  )

  it('mount each file that a variable names, from a secret that the page makes', () => {
    for (const pod of pods) {
      const [container] = pod.containers
      const volume = pod.volumes.find((each) => each.secret)
      const mount = container.volumeMounts.find((each) => each.name === volume?.name)
      const command = new RegExp(
        `secret generic ${volume?.secret?.secretName} (.*?)(?=^kubectl|\`\`\`)`,
        'ms',
      )
      const keys = [...(command.exec(page)?.[1] ?? '').matchAll(/--from-file=(\S+)/g)].map(
        ([, key]) => key,
      )
      const files = container.env
        .filter(({ name }) => name.endsWith('_FILE'))
        .map(({ value }) => value)
      expect(files).not.toEqual([])
      for (const file of files) {
        expect(file).toBe(join(mount?.mountPath ?? '', basename(file)))
        expect(keys).toContain(basename(file))
      }
    }
  })

  it('keep an instance of each while a node is drained, and lead services to them', () => {
    for (const [name, port] of [
      ['my-app-api', readServerEnv({}).SVC_PORT],
      ['my-app-web', portOf(undefined)],
    ] as const) {
      const { replicas = 0, template, selector } = named('Deployment', name).spec
      const labels = template?.metadata?.labels
      const budget = named('PodDisruptionBudget', name).spec
      expect(budget.minAvailable).toBeLessThan(replicas)
      expect(selector?.matchLabels).toEqual(labels)
      expect(budget.selector?.matchLabels).toEqual(labels)
      const service = named('Service', name).spec
      expect(service.selector).toEqual(labels)
      expect(service.ports).toEqual([{ port, targetPort: port }])
      expect(template?.spec.containers[0].ports).toEqual([{ containerPort: port }])
    }
  })
})

describe('the file of Compose', () => {
  it('runs our processes without rights, on a read-only root', () => {
    for (const [name, service] of Object.entries({ migrate, ...served })) {
      expect(service, name).toMatchObject({ user: 'node', read_only: true })
      expect(service?.tmpfs?.[0]).toBe('/tmp')
    }
    expect(served['web']?.tmpfs?.[1]).toMatch(/^\/app\/web\/\.next\/cache:/)
    expect(dockerfile.match(/^USER node$/gm)).toHaveLength(2)
  })

  it('gives each service the secrets whose files it names', () => {
    for (const [name, { environment, secrets }] of Object.entries(compose.services)) {
      const files = Object.entries(environment).filter(([key]) => key.endsWith('_FILE'))
      expect(files.map(([, file]) => file).toSorted(), name).toEqual(
        secrets.map((each) => `/run/secrets/${each}`).toSorted(),
      )
      for (const each of secrets) expect(compose.secrets).toHaveProperty(each)
    }
  })

  it('has the ports on which the processes listen, and the time that a stop may take', () => {
    const ports = { api: readServerEnv({}).SVC_PORT, web: portOf(undefined) }
    for (const [name, port] of Object.entries(ports)) {
      const service = served[name]
      expect(service?.ports).toEqual([`127.0.0.1:${port}:${port}`])
      const delay = shutdownDelayMillis({ NODE_ENV: 'production', SVC_SHUTDOWN_DELAY: undefined })
      expect(parseDuration(service?.stop_grace_period ?? '')).toBeGreaterThanOrEqual(
        delay + stopMillis,
      )
    }
  })

  it('migrates as the image can', () => {
    expect(migrate?.command).toEqual(['node_modules/.bin/svc', 'migrate'])
    expect(pods[0]?.containers[0].command).toEqual(migrate?.command)
  })
})

/** What docs/guide/deployment.md says of a stop: requests, those that linger, and jobs. */
const drainMillis = patienceIn('packages/core/src/http/shutdown.ts')
const stopMillis = drainMillis + patienceIn('packages/core/src/jobs/server.ts') + 1000

function patienceIn(path: string) {
  return Number(/patienceMillis = ([\d_]+)/.exec(read(path))?.[1]?.replaceAll('_', ''))
}
