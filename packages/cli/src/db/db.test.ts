import { chmod } from 'node:fs/promises'
import { join } from 'node:path'
import { createTestDatabase } from '@svc/core/testing'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createApplication, orders } from '../testing/application.ts'

/** Says how it was called, and asks nothing of a database. */
const psql = `#!${process.execPath}
const { PGPASSWORD = '' } = process.env
console.log('psql', process.argv[2], PGPASSWORD.length > 0)`

async function svcDb({ url, hasPsql }: { url?: string; hasPsql: boolean }) {
  const application = await createApplication({ ...orders, ...(hasPsql && { 'bin/psql': psql }) })
  onTestFinished(() => application.remove())
  if (hasPsql) await chmod(join(application.root, 'bin/psql'), 0o755)
  const env = { PATH: join(application.root, 'bin'), ...(url && { DATABASE_URL: url }) }
  return { root: application.root, ...(await application.svc(['db'], { env })) }
}

describe('svc db', { timeout: 60_000 }, () => {
  it('says how to connect to the embedded database, and where its password is', async () => {
    const { root, code, stdout, stderr } = await svcDb({ hasPsql: false })
    expect(code).toBe(0)
    expect(stderr).toContain('on embedded:./.svc/data, because DATABASE_URL is not set')
    expect(stdout).toContain(`Socket in   ${join(root, '.svc/data/pg')}\n`)
    expect(stdout).toMatch(/^User\s+postgres$/m)
    expect(stdout).toMatch(/^Password\s+in the file \.svc\/data\/pg\/svc\.password$/m)
    expect(stdout).toContain('psql is not installed here')
  })

  it('opens psql where there is one, with the password in no argument', async () => {
    const { root, code, stdout } = await svcDb({ hasPsql: true })
    expect(code).toBe(0)
    const socket = encodeURIComponent(join(root, '.svc/data/pg'))
    expect(stdout).toContain(
      `psql postgres://postgres@127.0.0.1:5432/postgres?host=${socket} true\n`,
    )
  })

  it('takes a DATABASE_URL, without what only the driver reads, and shows no password', async () => {
    const database = await createTestDatabase()
    onTestFinished(() => database.drop())
    const url = new URL(database.url)
    url.searchParams.set('query_timeout', '60000')
    const { code, stdout, stderr } = await svcDb({ url: url.href, hasPsql: true })
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(/^Password\s+as in DATABASE_URL$/m)
    expect(stdout).toMatch(/^psql postgres:\/\/\S+$|^psql postgres:\/\/\S+ (true|false)$/m)
    expect(stdout).not.toContain('query_timeout')
    if (url.password) expect(stdout).not.toContain(decodeURIComponent(url.password))
  })

  it('takes a DATABASE_URL of several hosts, and psql the one of them that takes writes', async () => {
    const url = 'postgres://ada:secret@one:5432,two/app?query_timeout=9'
    const { stdout } = await svcDb({ url, hasPsql: true })
    expect(stdout).toMatch(/^Hosts\s+one:5432, two: the one that takes writes$/m)
    expect(stdout).toContain(
      'psql postgres://ada@one:5432,two/app?target_session_attrs=read-write true\n',
    )
    expect(stdout).not.toContain('secret')
  })

  it('takes a socket of Cloud SQL, which is a folder in the place of a host', async () => {
    const url = 'postgres://ada:secret@/app?host=/cloudsql/project:region:instance'
    const { stdout } = await svcDb({ url, hasPsql: true })
    expect(stdout).toContain('Socket in   /cloudsql/project:region:instance\n')
    expect(stdout).toContain(
      'psql postgres://ada@%2Fcloudsql%2Fproject%3Aregion%3Ainstance/app true\n',
    )
    const both = await svcDb({ url: `${url},/run/postgresql`, hasPsql: true })
    expect(both.stdout).toMatch(
      /^Hosts +\/cloudsql\/project:region:instance, \/run\/postgresql: the one that takes writes$/m,
    )
    expect(both.stdout).toContain(
      'psql postgres://ada@%2Fcloudsql%2Fproject%3Aregion%3Ainstance,%2Frun%2Fpostgresql/app?target_session_attrs=read-write true\n',
    )
  })

  it('takes a user and a password behind the path', async () => {
    const url = 'postgres:///app?host=/run/postgresql&user=ada&password=secret'
    const { stdout } = await svcDb({ url, hasPsql: true })
    expect(stdout).toMatch(/^User +ada$/m)
    expect(stdout).toContain('psql postgres://%2Frun%2Fpostgresql/app?user=ada true\n')
  })

  it('takes several hosts where the user has the name of the first', async () => {
    const { stdout } = await svcDb({ url: 'postgres://one@one,two/app', hasPsql: true })
    expect(stdout).toContain('psql postgres://one@one,two/app?target_session_attrs=read-write ')
  })
})
