import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

const svc = fileURLToPath(new URL('../../bin/svc.js', import.meta.url))
const starter = fileURLToPath(new URL('../../../../apps/starter', import.meta.url))

it('finds the starter as svc generate would write it', async () => {
  const check = ['--conditions=svc-source', svc, 'generate', '--check', '--server', 'api/server.ts']
  const { stdout } = await promisify(execFile)(process.execPath, check, { cwd: starter })

  expect(stdout).toBe('nothing changed\n')
})
