import { join } from 'node:path'
import { createTestDatabase } from '@svc/core/testing'
import { describe, expect, it, onTestFinished } from 'vitest'
import { svcDb } from './test-db.ts'

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
})
