import { afterEach, expect, it, vi } from 'vitest'
import { typedCommand } from './typed-command.ts'

afterEach(() => vi.unstubAllEnvs())

it.each([
  [undefined, 'npx @svc/cli start --api-only --server api.ts'],
  ['npx', 'npx @svc/cli start --api-only --server api.ts'],
  ['start', 'npm start -- --api-only --server api.ts'],
  ['serve', 'npm run serve -- --api-only --server api.ts'],
])('is what was typed, where npm says that it runs %s', (script, typed) => {
  vi.stubEnv('npm_lifecycle_event', script)
  expect(typedCommand('start', { 'api-only': true, server: 'api.ts' })).toBe(typed)
})

it('has nothing behind the script where no flag was given', () => {
  vi.stubEnv('npm_lifecycle_event', 'dev')
  expect(typedCommand('dev', {})).toBe('npm run dev')
})
