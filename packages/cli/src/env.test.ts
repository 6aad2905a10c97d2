import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { readEnvFile } from './env.ts'

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
