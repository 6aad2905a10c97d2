import { expect, it, onTestFinished, vi } from 'vitest'
import { main } from '../main.ts'
import { temporaryFolder } from '../testing/temporary-folder.ts'

it('svc start says what it looks for, where nothing starts the server', async () => {
  const here = process.cwd()
  process.chdir(temporaryFolder({ 'package.json': '{}', 'server.ts': '' }))
  onTestFinished(() => process.chdir(here))
  const err = vi.spyOn(console, 'error').mockReturnValue()
  expect(await main(['start'])).toBe(1)
  expect(err.mock.calls.join('\n')).toContain('There is no main.ts, which starts the server')
})
