import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { givenEnvironment, readEnvFile } from './env.ts'

it('reads a file of variables, and none where there is none', () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-env-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const path = join(folder, '.env')
  expect(readEnvFile(path)).toEqual({})
  writeFileSync(
    path,
    '# from the console\nSVC_AUTH_GOOGLE_CLIENT_ID=id\nSVC_AUTH_GOOGLE_CLIENT_SECRET="a#b"\n',
  )
  expect(readEnvFile(path)).toEqual({
    SVC_AUTH_GOOGLE_CLIENT_ID: 'id',
    SVC_AUTH_GOOGLE_CLIENT_SECRET: 'a#b',
  })
})

it('takes what is given with the command before what stands in the file, be it a value or a file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-env-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  onTestFinished(() => void vi.unstubAllEnvs())
  const path = join(folder, '.env')
  const fromFile = (text: string) => {
    writeFileSync(path, text)
    const names = [
      'DATABASE_URL',
      'DATABASE_URL_DIRECT',
      'DATABASE_URL_REPLICA',
      'SVC_MAIL_URL',
      'SHOP_LOG',
    ]
    const all = names.flatMap((name) => [name, `${name}_FILE`])
    const given = Object.entries(givenEnvironment(path))
    return Object.fromEntries(given.filter(([name]) => all.includes(name)))
  }
  for (const name of ['DATABASE_URL', 'DATABASE_URL_FILE']) vi.stubEnv(name, undefined)

  vi.stubEnv('DATABASE_URL_FILE', '/run/secrets/db')
  vi.stubEnv('SHOP_LOG_FILE', '/var/log/shop')
  const inFile =
    'DATABASE_URL=postgres://a\nDATABASE_URL_DIRECT_FILE=/b\nDATABASE_URL_REPLICA=postgres://r\nSVC_MAIL_URL_FILE=/c\n'
  expect(fromFile(`${inFile}SHOP_LOG=on\n`)).toEqual({
    DATABASE_URL_FILE: '/run/secrets/db',
    SVC_MAIL_URL_FILE: '/c',
    SHOP_LOG: 'on',
    SHOP_LOG_FILE: '/var/log/shop',
  })

  vi.stubEnv('DATABASE_URL_FILE', undefined)
  vi.stubEnv('SHOP_LOG_FILE', undefined)
  vi.stubEnv('SVC_MAIL_URL', 'none')
  expect(fromFile('DATABASE_URL_FILE=/a\nDATABASE_URL_DIRECT=b\nSVC_MAIL_URL_FILE=/c\n')).toEqual({
    DATABASE_URL_FILE: '/a',
    DATABASE_URL_DIRECT: 'b',
    SVC_MAIL_URL: 'none',
  })
})
