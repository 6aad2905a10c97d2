import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { nextMigration } from '../../packages/cli/src/generate/next-migration.ts'
import { renderRouteMap } from '../../packages/cli/src/generate/render-route-map.ts'
import { routeMapOf } from '../../packages/core/src/routes/route-map.ts'
import { startTestServer } from '../../packages/core/src/testing/test-server.ts'
import { type LaidPage, layPage } from './lay-page.ts'

// The quick starts, as their readers would run them. That of sign-in needs a build by Next: next-sign-in.long.test.ts.

const root = resolve(import.meta.dirname, '..', '..')
const names = ['typed-api', 'live-updates', 'replace'] as const
const pages = Object.fromEntries(
  names.map((name) => [name, layPage(`docs/start/${name}.md`)]),
) as Record<(typeof names)[number], LaidPage>
afterAll(() => {
  for (const page of Object.values(pages)) page.remove()
})

/** What a program prints, line by line. */
async function printed(run: () => Promise<unknown>) {
  const lines: string[] = []
  const log = vi
    .spyOn(console, 'log')
    .mockImplementation((...words) => void lines.push(words.join(' ')))
  await run()
  log.mockRestore()
  return lines
}

/** The output that a page shows below a command. */
function shown(page: string, command: string) {
  const text = readFileSync(join(root, `docs/start/${page}.md`), 'utf8')
  const [, output = ''] = text.split(`$ ${command}\n`)
  return output.split('```')[0]?.trim().split('\n')
}

describe('an API with typed clients', async () => {
  const { folder, load } = pages['typed-api']
  const directory = join(folder, 'migrations')
  mkdirSync(directory)
  const migration = await nextMigration(
    { schema: await load('schema.ts'), directory },
    { name: 'tasks' },
  )
  writeFileSync(migration?.file ?? '', migration?.sql ?? '')
  const { default: definition } = await load('server.ts')

  it('has the route map and the migration that the page shows', async () => {
    const { appRouter } = await load('router.ts')
    const written = readFileSync(join(folder, 'route-map.generated.ts'), 'utf8')
    expect(written).toContain(
      renderRouteMap(routeMapOf(appRouter), 'server.ts').split('\n').slice(3).join('\n'),
    )
    expect(migration?.file).toBe(join(directory, '0001_tasks.sql'))
  })

  it('prints what the page says', async () => {
    const app = await startTestServer(definition, { database: true })
    vi.stubEnv('TASKS_URL', app.url)
    const lines = await printed(() => load('client.ts'))
    expect(lines).toEqual(shown('typed-api', 'node client.ts'))
    await app.stop()
  })
})

describe('live updates', () => {
  it('reach every page that is open', async () => {
    const { load } = pages['live-updates']
    const { default: definition } = await load('server.ts')
    const app = await startTestServer(definition)
    const [one, two] = [
      await app.follow({ events: ['scoreChanged'] }),
      await app.follow({ events: ['scoreChanged'] }),
    ]
    const answer = await app.fetch('/score', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ home: 1, away: 0 }),
    })
    expect(answer.status).toBe(204)
    for (const stream of [one, two]) {
      expect(await stream.next('scoreChanged')).toEqual({ home: 1, away: 0 })
      stream.drop()
    }
    const page = await app.fetch('/')
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(await page.text()).toContain('/events/stream?events=scoreChanged')
    await app.stop()
  })
})

describe('replacing another system', () => {
  it('makes users of an export of Clerk', async () => {
    const { folder, load } = pages['replace']
    const from = join(folder, 'clerk.csv')
    const to = join(folder, 'users.jsonl')
    const hash = '$2a$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy'
    writeFileSync(
      from,
      [
        'id,first_name,last_name,username,primary_email_address,primary_phone_number,verified_email_addresses,unverified_email_addresses,verified_phone_numbers,unverified_phone_numbers,totp_secret,password_digest,password_hasher',
        `user_1,Ada,"Lovelace, ""Countess""",ada,ada@example.com,,ada@example.com|ada@work.example.com,,,,,${hash},bcrypt`,
        'user_2,Grace,Hopper,,grace@example.com,+4930123456,,grace@example.com,+4930123456,,,,',
        '',
      ].join('\r\n'),
    )
    const given = process.argv
    process.argv = ['node', 'clerk-users.ts', from, to]
    const lines = await printed(() => load('clerk-users.ts'))
    process.argv = given
    expect(lines).toEqual([`2 users in ${to}`])
    const users = readFileSync(to, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(users).toMatchObject([
      {
        externalId: 'user_1',
        email: 'ada@example.com',
        emailVerified: true,
        phoneVerified: false,
        lastName: 'Lovelace, "Countess"',
        passwordHash: hash,
      },
      { externalId: 'user_2', emailVerified: false, phone: '+4930123456', phoneVerified: true },
    ])
  })
})
