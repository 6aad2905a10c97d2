import { readFileSync } from 'node:fs'
import { join, posix, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { named } from '../../packages/cli/src/create/named.ts'
import { starterFiles } from '../../packages/cli/src/create/starter.ts'

const root = resolve(import.meta.dirname, '..', '..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const page = read('docs/guide/deployment.md')

const application = named(starterFiles(), 'my-app')
const exists = (path: string) =>
  Object.keys(application).some((file) => file === path || file.startsWith(`${path}/`))

function fileOf(name: string) {
  const [, text] =
    page.match(new RegExp(`^\`\`\`\\w+\\n# file: ${name}\\n(.*?)^\`\`\`$`, 'ms')) ?? []
  if (text === undefined) throw new Error(`${name} is not on the page.`)
  return text
}

/** What an installation brings: of a program, the file behind it. */
const installed: Record<string, string> = {
  'node_modules/@svc/web/bin/svc-web.js': 'packages/web/bin/svc-web.js',
  'node_modules/.bin/svc': 'node_modules/.bin/svc',
}

function isThere(path: string) {
  const program = installed[path]
  return program ? read(program).startsWith('#!') : exists(path)
}

describe('the Dockerfile', () => {
  const lines = fileOf('Dockerfile').split('\n')
  // They come with the installation, or with a clone's packages.
  const made = ['package-lock.json', 'vendor']

  it('copies what an application has', () => {
    const copied = lines
      .filter((line) => line.startsWith('COPY '))
      .flatMap((line) => line.split(' ').slice(1, -1))
    expect(copied).toContain('api/package.json')
    expect(copied.filter((path) => !exists(path) && !made.includes(path))).toEqual([])
  })

  it('runs scripts that the application has', () => {
    const run = /npm run (\S+) -w (\S+)/.exec(fileOf('Dockerfile')) ?? []
    const { name, scripts } = JSON.parse(application['web/package.json'] ?? '')
    expect(run[2]).toBe(name)
    expect(scripts).toHaveProperty([run[1] ?? ''])
  })

  it('starts files that are there, from where they are', () => {
    let folder = ''
    for (const line of lines) {
      if (line.startsWith('FROM ')) folder = ''
      if (line.startsWith('WORKDIR ')) folder = posix.relative('/app', line.split(' ')[1] ?? '')
      const [, file] = /^CMD \["node", "([^"]+)"/.exec(line) ?? []
      if (file) expect(isThere(posix.join(folder, file)), file).toBe(true)
    }
    expect(lines.filter((line) => line.startsWith('CMD '))).toHaveLength(2)
  })

  it('has the variables that a build writes into the pages', () => {
    const used = ['web/env.ts', 'web/next.config.ts'].map((path) => application[path]).join('\n')
    const arguments_ = lines.filter((line) => line.startsWith('ARG ')).map((line) => line.slice(4))
    for (const name of arguments_) expect(used).toContain(name)
  })
})

describe('the units', () => {
  it.each(['my-app-api.service', 'my-app-web.service'])('%s starts what is there', (name) => {
    const unit = fileOf(name)
    const folder = /^WorkingDirectory=(.*)$/m.exec(unit)?.[1] ?? ''
    const commands = [...unit.matchAll(/^Exec\w+=(.*)$/gm)].map(([, command = '']) => command)
    const files = commands.map((command) => {
      const [program = '', file = ''] = command.split(' ')
      return program.endsWith('/node') ? posix.join(folder, file) : program
    })
    expect(files).not.toEqual([])
    for (const file of files) expect(isThere(posix.relative('/srv/my-app', file)), file).toBe(true)
  })
})

describe('proxies and probes', () => {
  it('lead to the ports on which the processes listen', () => {
    const ports = ['Caddyfile', 'nginx.conf'].map((name) =>
      [...fileOf(name).matchAll(/127\.0\.0\.1:(\d+)/g)].map(([, port = '']) => port).toSorted(),
    )
    expect(ports).toEqual([
      ['3790', '8790'],
      ['3790', '8790'],
    ])
    expect(application['web/package.json']).toContain('-p 3790')
  })

  it('ask paths that answer', () => {
    const asked = [...page.matchAll(/\/_core\/health(\/\w+)?/g)].map(([path]) => path)
    const answered = ['/_core/health', '/_core/health/live', '/_core/health/ready']
    expect(new Set(asked)).toEqual(new Set(answered))
  })

  it('name variables that there are', () => {
    const variables = read('docs/reference/variables.md')
    const used = [...page.matchAll(/\b(?:NEXT_PUBLIC_)?SVC_[A-Z_]+\b/g)].map(([name]) => name)
    const names = used.map((name) => name.replace(/_FILE$/, ''))
    expect(names.filter((name) => !variables.includes(`\`${name}\``))).toEqual([])
  })
})
