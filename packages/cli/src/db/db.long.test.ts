import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { svcDb } from './test-db.ts'

describe('svc db', { timeout: 60_000 }, () => {
  it('opens psql where there is one, with the password in no argument', async () => {
    const { root, code, stdout } = await svcDb({ hasPsql: true })
    expect(code).toBe(0)
    const socket = encodeURIComponent(join(root, '.svc/data/pg'))
    expect(stdout).toContain(
      `psql postgres://postgres@127.0.0.1:5432/postgres?host=${socket} true\n`,
    )
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
